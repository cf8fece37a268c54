/**
 * Rules that put handlers before an application for the requests that predicates select, in the language of Undertow's {@code
 * undertow-handlers.conf}: {@link io.millrace.rules.Rules}.
 */
@NullMarked
package io.millrace.rules;

import org.jspecify.annotations.NullMarked;
