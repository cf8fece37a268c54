/** What protocols share that carry many requests at a time on one connection. */
@NullMarked
package io.millrace.protocol.mux;

import org.jspecify.annotations.NullMarked;
