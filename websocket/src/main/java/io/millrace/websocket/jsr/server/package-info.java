/** WebSocket server endpoints of web applications (JSR 356): deployment, path matching, handshake. */
@NullMarked
package io.millrace.websocket.jsr.server;

import org.jspecify.annotations.NullMarked;
