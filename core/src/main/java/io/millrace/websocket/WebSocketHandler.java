package io.millrace.websocket;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.RoutePrediction;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Handles every request as a WebSocket handshake; the connections share a listener, or each has streams of its own. */
public final class WebSocketHandler implements NonBlockingHandler {

    private final Supplier<WebSocketListener> listeners;
    private final WebSocketOptions options;

    /** A handler with default options. */
    public WebSocketHandler(WebSocketListener listener) {
        this(listener, WebSocketOptions.DEFAULT);
    }

    /** A handler with these options. */
    public WebSocketHandler(WebSocketListener listener, WebSocketOptions options) {
        this(() -> listener, options);
    }

    private WebSocketHandler(Supplier<WebSocketListener> listeners, WebSocketOptions options) {
        this.listeners = listeners;
        this.options = options;
    }

    /**
     * A handler whose connections are served with streams.
     *
     * @param opened called on a worker when a connection is open; if it throws, the connection is closed with 1011
     */
    public static WebSocketHandler ofStreams(Consumer<MessageStreams> opened, WebSocketOptions options) {
        return new WebSocketHandler(() -> MessageStreams.listener(opened), options);
    }

    /** A handler for text messages, with default options. */
    public static WebSocketHandler onText(BiConsumer<WebSocketConnection, String> listener) {
        return new WebSocketHandler(new WebSocketListener() {
            private final RoutePrediction prediction = new RoutePrediction();

            @Override
            public RoutePrediction prediction() {
                return prediction;
            }

            @Override
            public void onText(WebSocketConnection connection, String message) {
                listener.accept(connection, message);
            }
        });
    }

    @Override
    public void handle(HttpExchange exchange) {
        WebSocketHandshake.accept(exchange, listeners.get(), options);
    }
}
