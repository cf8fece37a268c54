/**
 * Shared by protocols that multiplex streams on one connection (HTTP/2, SPDY): states of streams, flow control, output order,
 * timeouts, budgets against floods, and the graceful shutdown. A protocol adds a {@link io.millrace.protocol.mux.FrameReader}
 * and a {@link io.millrace.protocol.mux.FrameWriter}.
 */
@NullMarked
package io.millrace.protocol.mux;

import org.jspecify.annotations.NullMarked;
