package io.millrace.websocket;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers every request by a WebSocket handshake; the connections share a listener, or have streams of their own. */
public final class WebSocketHandler implements NonBlockingHandler {

    private final Supplier<WebSocketListener> listeners;
    private final WebSocketOptions options;

    /** With the default options. */
    public WebSocketHandler(WebSocketListener listener) {
        this(listener, WebSocketOptions.DEFAULT);
    }

    /** With these options. */
    public WebSocketHandler(WebSocketListener listener, WebSocketOptions options) {
        this(() -> listener, options);
    }

    private WebSocketHandler(Supplier<WebSocketListener> listeners, WebSocketOptions options) {
        this.listeners = listeners;
        this.options = options;
    }

    /**
     * Whose connections are served by streams.
     *
     * @param opened is called when a connection is open, on a worker; what it throws closes the connection with 1011
     */
    public static WebSocketHandler ofStreams(Consumer<MessageStreams> opened, WebSocketOptions options) {
        return new WebSocketHandler(() -> MessageStreams.listener(opened), options);
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
        WebSocketHandshake.accept(exchange, listeners.get(), options);
    }
}
