/**
 * WebSocket (RFC 6455) with permessage-deflate (RFC 7692): handshakes, connections and their listeners. Independent of
 * servlets; works over every protocol that supports tunnels ({@link io.millrace.exchange.HttpExchange#tunnel}).
 */
@NullMarked
package io.millrace.websocket;

import org.jspecify.annotations.NullMarked;
