/** Names of Tomcat classes to which applications refer. */
@NullMarked
package org.apache.catalina.loader;

import org.jspecify.annotations.NullMarked;
