package io.millrace.websocket.client;

import io.millrace.http.Headers;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.layer.TlsLayer;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketListener;
import io.millrace.workers.Workers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Opens WebSocket connections to servers (RFC 6455), over HTTP/1.1. Strict about their answers; redirects are not followed, and a
 * challenge is not answered: a {@link io.millrace.websocket.WebSocketHandshakeException} has the response. Any thread; nothing
 * blocks.
 */
public final class WebSocketClient {

    private final Dialer dialer;
    private final Workers workers;
    private final Timers timers;
    private final TlsClientEngines tls;
    private final TlsLayer layer;

    /**
     * A client on these threads. They belong to whoever made them, as does the dialer, and have to outlive the connections.
     *
     * @param workers call listeners that may block
     * @param timers for timeouts
     * @param tls for {@code wss:}
     */
    public WebSocketClient(Dialer dialer, Workers workers, Timers timers, TlsClientEngines tls) {
        this.dialer = dialer;
        this.workers = workers;
        this.timers = timers;
        this.tls = tls;
        layer = TlsLayer.ofClients(workers, timers, Duration.ZERO); // the handshake as a whole has a timeout
    }

    /**
     * Connects.
     *
     * @return the connection, once the server has agreed; or why there is none: a {@link io.millrace.io.DialException}, an {@link
     *     javax.net.ssl.SSLException}, a {@link io.millrace.websocket.WebSocketHandshakeException}, a {@link
     *     java.net.SocketTimeoutException} or another {@link java.io.IOException}. Its completion runs on an I/O thread or a
     *     worker and must not block; cancelling it gives up the attempt
     */
    public CompletableFuture<WebSocketConnection> connect(WebSocketRequest request, WebSocketListener listener) {
        return connect(request, listener, response -> {});
    }

    /**
     * The same for those who want to see the response.
     *
     * @param onResponse gets the header fields of the response that agrees, before the listener is called; on the connection's thread,
     *     and must not block
     */
    public CompletableFuture<WebSocketConnection> connect(
            WebSocketRequest request, WebSocketListener listener, Consumer<Headers> onResponse) {
        return new OpeningHandshake(this, request, listener, onResponse).begin();
    }

    Dialer dialer() {
        return dialer;
    }

    Workers workers() {
        return workers;
    }

    Timers timers() {
        return timers;
    }

    TlsClientEngines tls() {
        return tls;
    }

    TlsLayer layer() {
        return layer;
    }
}
