/** The class by which tools start Tomcat, in the home that {@code millrace tomcat-home} writes. */
@NullMarked
package org.apache.catalina.startup;

import org.jspecify.annotations.NullMarked;
