/** Names of Tomcat's that applications mention. */
@NullMarked
package org.apache.catalina.loader;

import org.jspecify.annotations.NullMarked;
