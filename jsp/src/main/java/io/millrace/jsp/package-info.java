/** JSP pages by Tomcat's Jasper, for applications of {@code io.millrace.servlet}. */
@NullMarked
package io.millrace.jsp;

import org.jspecify.annotations.NullMarked;
