/** JSP pages: integration of Tomcat's Jasper. */
@NullMarked
package io.millrace.jsp;

import org.jspecify.annotations.NullMarked;
