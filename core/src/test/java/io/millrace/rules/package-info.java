/** Tests of rules. */
@NullMarked
package io.millrace.rules;

import org.jspecify.annotations.NullMarked;
