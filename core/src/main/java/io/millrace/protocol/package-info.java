/** The interface between protocols and exchanges. */
@NullMarked
package io.millrace.protocol;

import org.jspecify.annotations.NullMarked;
