/**
 * Clients of multiplexed protocols (HTTP/2, SPDY): many requests at a time on a connection. A protocol adds a {@link
 * io.millrace.protocol.mux.FrameReader} and a {@link io.millrace.client.mux.ClientFrameWriter}.
 */
@NullMarked
package io.millrace.client.mux;

import org.jspecify.annotations.NullMarked;
