/**
 * WebSocket (RFC 6455) with permessage-deflate (RFC 7692): the handshake on an exchange, connections and their listeners.
 * Without servlets; over any protocol that has tunnels ({@link io.millrace.exchange.HttpExchange#tunnel}).
 */
@NullMarked
package io.millrace.websocket;

import org.jspecify.annotations.NullMarked;
