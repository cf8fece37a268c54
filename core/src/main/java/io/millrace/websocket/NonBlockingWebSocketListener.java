package io.millrace.websocket;

/**
 * A listener that promises never to block and to be quick: it runs on the thread that serves many connections, as a {@link
 * io.millrace.exchange.NonBlockingHandler} does.
 */
public interface NonBlockingWebSocketListener extends WebSocketListener {}
