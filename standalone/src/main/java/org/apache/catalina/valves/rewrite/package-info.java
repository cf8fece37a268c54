/** The interface of rewrite maps written for Tomcat's RewriteValve. */
@NullMarked
package org.apache.catalina.valves.rewrite;

import org.jspecify.annotations.NullMarked;
