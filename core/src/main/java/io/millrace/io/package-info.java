/** Transports and connections, and the buffers and timers that they use. */
@NullMarked
package io.millrace.io;

import org.jspecify.annotations.NullMarked;
