/** The WebSocket client, with a {@link io.millrace.io.Dialer}, TLS and HTTP/1.1. */
@NullMarked
package io.millrace.websocket.client;

import org.jspecify.annotations.NullMarked;
