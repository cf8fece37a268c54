/** What classes that were written for Tomcat's RewriteValve implement. */
@NullMarked
package org.apache.catalina.valves.rewrite;

import org.jspecify.annotations.NullMarked;
