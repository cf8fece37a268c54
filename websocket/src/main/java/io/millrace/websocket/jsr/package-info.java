/** The Java API for WebSocket (JSR 356) for both roles: endpoints, sessions, encoders and decoders over core's connections. */
@NullMarked
package io.millrace.websocket.jsr;

import org.jspecify.annotations.NullMarked;
