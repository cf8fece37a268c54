/** The directory laid out like Tomcat's, for tools that start Tomcat. */
@NullMarked
package io.millrace.standalone.home;

import org.jspecify.annotations.NullMarked;
