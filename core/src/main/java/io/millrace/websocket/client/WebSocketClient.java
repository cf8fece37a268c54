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
import org.jspecify.annotations.Nullable;

/**
 * Opens WebSocket connections to servers (RFC 6455) over HTTP/1.1, or over HTTP/2 (RFC 8441), with strict validation of responses. Redirects,
 * challenges and proxies are handled by its {@link HandshakePolicy}, which is {@link HandshakePolicy#STRICT} by default;
 * any other response fails the connection with a {@link io.millrace.websocket.WebSocketHandshakeException}. Thread-safe;
 * no method blocks.
 */
public final class WebSocketClient {

    private final Dialer dialer;
    private final Workers workers;
    private final Timers timers;
    private final TlsClientEngines tls;
    private final TlsLayer layer;
    private final HandshakePolicy policy;
    /** Null for none. */
    private final @Nullable Http2Carrier http2;

    /**
     * A client on these threads. The caller owns them and the dialer, and must not stop them before the connections have
     * ended.
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
                HandshakePolicy.STRICT,
                null);
    }

    private WebSocketClient(
            Dialer dialer,
            Workers workers,
            Timers timers,
            TlsClientEngines tls,
            TlsLayer layer,
            HandshakePolicy policy,
            @Nullable Http2Carrier http2) {
        this.dialer = dialer;
        this.workers = workers;
        this.timers = timers;
        this.tls = tls;
        this.layer = layer;
        this.policy = policy;
        this.http2 = http2;
    }

    /** A client on the same threads with another policy for redirects, challenges and proxies. */
    public WebSocketClient withPolicy(HandshakePolicy other) {
        return new WebSocketClient(dialer, workers, timers, tls, layer, other, http2);
    }

    /** A client on the same threads that uses HTTP/2 as its policy says; null for HTTP/1.1 only. */
    public WebSocketClient withHttp2(@Nullable Http2Carrier carrier) {
        return new WebSocketClient(dialer, workers, timers, tls, layer, policy, carrier);
    }

    /**
     * Connects to a server. The timeout of the request applies to all attempts together.
     *
     * @return the connection after a successful handshake, or the failure: a {@link io.millrace.io.DialException}, an
     *     {@link javax.net.ssl.SSLException}, a {@link io.millrace.websocket.WebSocketHandshakeException}, a {@link
     *     java.net.SocketTimeoutException} or another {@link java.io.IOException}. It is completed on an I/O thread or a
     *     worker, so dependent actions must not block; cancelling it cancels the attempt
     */
    public CompletableFuture<WebSocketConnection> connect(WebSocketRequest request, WebSocketListener listener) {
        return connect(request, listener, response -> {});
    }

    /**
     * Connects to a server, with access to the response of the handshake.
     *
     * @param onResponse receives the header fields of the successful response before the listener is called, on the
     *     connection's thread; must not block
     */
    public CompletableFuture<WebSocketConnection> connect(
            WebSocketRequest request, WebSocketListener listener, Consumer<Headers> onResponse) {
        return new HandshakeAttempts(this, request, listener, onResponse).begin();
    }

    HandshakePolicy policy() {
        return policy;
    }

    @Nullable
    Http2Carrier http2() {
        return http2;
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
