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
 * Opens WebSocket connections to servers (RFC 6455), over HTTP/1.1. Strict about their answers. Redirects, challenges and proxies are as
 * its {@link HandshakePolicy} says, at first {@link HandshakePolicy#STRICT}; what is not answered by it is a {@link
 * io.millrace.websocket.WebSocketHandshakeException} with the response. Any thread; nothing blocks.
 */
public final class WebSocketClient {

    private final Dialer dialer;
    private final Workers workers;
    private final Timers timers;
    private final TlsClientEngines tls;
    private final TlsLayer layer;
    private final HandshakePolicy policy;

    /**
     * A client on these threads. The caller owns them and the dialer, and must not end them before the connections.
     *
     * @param workers call listeners that may block
     * @param timers for timeouts
     * @param tls for {@code wss:}
     */
    public WebSocketClient(Dialer dialer, Workers workers, Timers timers, TlsClientEngines tls) {
        this(
                dialer,
                workers,
                timers,
                tls,
                TlsLayer.ofClients(workers, timers, Duration.ZERO), // the handshake as a whole has a timeout
                HandshakePolicy.STRICT);
    }

    private WebSocketClient(
            Dialer dialer,
            Workers workers,
            Timers timers,
            TlsClientEngines tls,
            TlsLayer layer,
            HandshakePolicy policy) {
        this.dialer = dialer;
        this.workers = workers;
        this.timers = timers;
        this.tls = tls;
        this.layer = layer;
        this.policy = policy;
    }

    /** A client on the same threads that follows redirects, answers challenges, connects through proxies. */
    public WebSocketClient withPolicy(HandshakePolicy other) {
        return new WebSocketClient(dialer, workers, timers, tls, layer, other);
    }

    /**
     * Connects. The request's timeout is for all attempts together.
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
     * The same, with access to the response of the handshake.
     *
     * @param onResponse gets the header fields of the response that agrees, before the listener is called; on the connection's thread,
     *     and must not block
     */
    public CompletableFuture<WebSocketConnection> connect(
            WebSocketRequest request, WebSocketListener listener, Consumer<Headers> onResponse) {
        return new HandshakeAttempts(this, request, listener, onResponse).begin();
    }

    HandshakePolicy policy() {
        return policy;
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
