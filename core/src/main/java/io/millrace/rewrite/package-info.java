/**
 * Rewriting requests by rules in the language of httpd's mod_rewrite, as Tomcat 9's RewriteValve understands it: {@link
 * io.millrace.rewrite.RewriteRules}.
 */
@NullMarked
package io.millrace.rewrite;

import org.jspecify.annotations.NullMarked;
