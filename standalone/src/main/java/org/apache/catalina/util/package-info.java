/** What tools ask Tomcat's lib/catalina.jar for, in the home that {@code millrace tomcat-home} writes. */
@NullMarked
package org.apache.catalina.util;

import org.jspecify.annotations.NullMarked;
