/**
 * Rewriting requests by rules in the language of httpd's mod_rewrite, as understood by Tomcat 9's RewriteValve: {@link
 * io.millrace.rewrite.RewriteRules}.
 */
@NullMarked
package io.millrace.rewrite;

import org.jspecify.annotations.NullMarked;
