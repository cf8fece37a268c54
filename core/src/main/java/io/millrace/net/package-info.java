/** Addresses as a configuration writes them: one, a network, a set of both. Values, not I/O. */
@NullMarked
package io.millrace.net;

import org.jspecify.annotations.NullMarked;
