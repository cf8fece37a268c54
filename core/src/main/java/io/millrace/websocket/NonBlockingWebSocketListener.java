package io.millrace.websocket;

/**
 * A listener that never blocks and returns quickly: it is called on an I/O thread, which serves many connections, like a
 * {@link io.millrace.exchange.NonBlockingHandler}.
 */
public interface NonBlockingWebSocketListener extends WebSocketListener {}
