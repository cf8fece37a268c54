package io.millrace.websocket;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import java.util.function.BiConsumer;

/** Answers every request by a WebSocket handshake; the connections share a listener. */
public final class WebSocketHandler implements NonBlockingHandler {

    private final WebSocketListener listener;
    private final WebSocketOptions options;

    /** With the default options. */
    public WebSocketHandler(WebSocketListener listener) {
        this(listener, WebSocketOptions.DEFAULT);
    }

    /** With these options. */
    public WebSocketHandler(WebSocketListener listener, WebSocketOptions options) {
        this.listener = listener;
        this.options = options;
    }

    /** Whose listener is called for text messages only. */
    public static WebSocketHandler onText(BiConsumer<WebSocketConnection, String> listener) {
        return new WebSocketHandler(new WebSocketListener() {
            @Override
            public void onText(WebSocketConnection connection, String message) {
                listener.accept(connection, message);
            }
        });
    }

    @Override
    public void handle(HttpExchange exchange) {
        WebSocketHandshake.accept(exchange, listener, options);
    }
}
