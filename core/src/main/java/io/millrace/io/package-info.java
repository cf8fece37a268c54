/** Transports and connections: bytes in order, both ways, and the buffers and timers below them. */
@NullMarked
package io.millrace.io;

import org.jspecify.annotations.NullMarked;
