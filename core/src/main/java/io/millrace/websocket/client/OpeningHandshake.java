package io.millrace.websocket.client;

import io.millrace.client.ClientException;
import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.Destination;
import io.millrace.client.NegotiatedProtocol;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionOpener;
import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.EncodedSlash;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.http1.ConnectRefusedException;
import io.millrace.http1.ConnectRequest;
import io.millrace.http1.Http1Client;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.DialException;
import io.millrace.protocol.HttpStream;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientEngines;
import io.millrace.websocket.WebSocketClientHandshake;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.client.HandshakePolicy.Http2Use;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to open a connection: a request with an upgrade, on a connection of its own. The first result or failure decides; a
 * failure closes the connection.
 */
final class OpeningHandshake implements SessionOpener.Target, ResponseListener {

    private static final Http1Client HTTP_1 = new Http1Client(Settings.DEFAULTS, Duration.ZERO, Duration.ZERO);

    private final WebSocketClient client;
    private final HandshakeTarget hop;
    private final WebSocketRequest request;
    private final WebSocketListener listener;
    private final Consumer<Headers> onResponse;
    private final WebSocketClientHandshake handshake;
    private final CompletableFuture<WebSocketConnection> result = new CompletableFuture<>();
    private volatile SessionOpener.@Nullable Attempt attempt;
    private volatile boolean reached;
    private volatile boolean unreached;

    OpeningHandshake(
            WebSocketClient client, HandshakeTarget hop, WebSocketListener listener, Consumer<Headers> onResponse) {
        this.client = client;
        this.hop = hop;
        request = hop.request();
        this.listener = listener;
        this.onResponse = onResponse;
        handshake = WebSocketClientHandshake.create(request.options());
    }

    HandshakeTarget hop() {
        return hop;
    }

    /** Whether the server was reached, if there is a proxy by a tunnel, so that responses are the server's. */
    boolean hasReachedServer() {
        return reached;
    }

    /**
     * Did it fail before the server was reached, so that another proxy may succeed? False if the proxy has responded, with whatever
     * status.
     */
    boolean hasFailedToConnect() {
        return unreached;
    }

    /** Fails the attempt if the server, or the proxy's tunnel to it, has not been reached. */
    void routeTimeout(Duration after) {
        if (!reached) {
            unreached = true;
            fail(new SocketTimeoutException(
                    "no connection " + (hop.proxy() == null ? "without proxy" : "through the proxy " + hop.proxyName())
                            + " within " + after.toMillis() + " ms"));
        }
    }

    CompletableFuture<WebSocketConnection> begin(Duration timeout) {
        CompletableFuture<WebSocketConnection> unused = result.whenComplete((opened, failure) -> ended(failure));
        try {
            attempt = new SessionOpener(destination(), protocol(), timeout, client.dialer(), client.layer()).open(this);
        } catch (RuntimeException | Error wrong) { // HTTP/2 is required, for example, but not installed
            fail(wrong);
        }
        if (result.isDone()) {
            ended(result.isCompletedExceptionally() ? new IOException("the connection attempt was cancelled") : null);
        }
        return result;
    }

    private Destination destination() {
        InetSocketAddress proxy = hop.proxy();
        ConnectRequest connect = new ConnectRequest(hop.tunnelTarget(), hop.tunnelFields());
        return new Destination(
                InetSocketAddress.createUnresolved(request.host(), request.port()),
                request.isSecure() ? engines() : null,
                proxy == null ? null : new Destination.Via(proxy, connect),
                false);
    }

    private TlsClientEngines engines() {
        Http2Carrier http2 = http2();
        TlsClientEngines offering = http2 == null ? null : http2.engines();
        return offering == null ? client.tls() : offering;
    }

    private ClientProtocol protocol() {
        Http2Carrier http2 = http2();
        if (http2 == null) {
            return HTTP_1;
        }
        if (isKnownToBeHttp2()) {
            return request.isSecure() ? http2.secure() : http2.plain();
        }
        return new NegotiatedProtocol(Http2Carrier.ID, http2.secure(), HTTP_1);
    }

    private boolean isKnownToBeHttp2() {
        return client.policy().http2() == Http2Use.PRIOR_KNOWLEDGE;
    }

    /** Null if this attempt must not use it. */
    private @Nullable Http2Carrier http2() {
        Http2Carrier http2 = client.http2();
        if (isKnownToBeHttp2()) {
            if (http2 == null) {
                throw new IllegalStateException(
                        "HTTP/2 is required, but not installed; add millrace-connector-http2 to the class path");
            }
            return http2;
        }
        boolean may = http2 != null
                && request.isSecure()
                && client.policy().http2() == Http2Use.NEGOTIATED
                && !http2.lacksTunnels(hop.tunnelTarget());
        return may ? http2 : null;
    }

    /** Did it fail because the server has HTTP/2 without tunnels? It is then asked in HTTP/1.1 from now on. */
    boolean mustFallBack(Throwable failure) {
        Http2Carrier http2 = client.http2();
        if (http2 == null
                || isKnownToBeHttp2()
                || !(failure instanceof ClientException known)
                || known.reason() != ClientException.Reason.UNSUPPORTED) {
            return false;
        }
        http2.rememberWithoutTunnels(hop.tunnelTarget());
        return true;
    }

    /** Does nothing if the attempt has ended. Thread-safe. */
    void cancel(Throwable why) {
        fail(why);
    }

    /** Idempotent. */
    private void ended(@Nullable Throwable failure) {
        SessionOpener.Attempt opening = attempt;
        if (failure != null && opening != null) {
            opening.cancel(failure);
        }
    }

    /** Ends the attempt and closes the connection. */
    private void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    // ---- the connection

    @Override
    public void onReached() {
        reached = true;
    }

    @Override
    public void onOpen(ClientSession session) {
        if (result.isDone()) {
            session.close(null);
            return;
        }
        Headers fields = new Headers().add("Host", request.authority());
        append(handshake.fields(), fields);
        append(hop.fields(), fields);
        try {
            ClientRequest upgrade = new ClientRequest("GET", request.target(), fields, 0, "websocket");
            if (session.start(upgrade, this) == null) {
                fail(new EOFException("the server closed the connection before the handshake"));
            }
        } catch (RuntimeException | Error wrong) {
            fail(wrong);
        }
    }

    private static void append(Headers from, Headers to) {
        for (int i = 0; i < from.size(); i++) {
            to.add(from.name(i), from.value(i));
        }
    }

    @Override
    public void onFailed(ClientException.Reason reason, @Nullable Throwable cause) {
        if (cause instanceof ConnectRefusedException refused) {
            fail(new WebSocketHandshakeException(
                    "the proxy " + hop.proxyName() + " answered with status "
                            + refused.response().status() + " instead of opening a tunnel to " + hop.tunnelTarget(),
                    refused.response().status(),
                    refused.response().headers()));
            return;
        }
        unreached = reason == ClientException.Reason.DIAL;
        if (cause == null) {
            fail(new EOFException("the connection was closed as it was opened"));
        } else if (unreached && hop.proxy() != null && !(cause instanceof DialException)) {
            fail(new IOException(
                    "cannot open a tunnel through the proxy " + hop.proxyName() + ": " + cause.getMessage(), cause));
        } else {
            fail(cause);
        }
    }

    /** The tunnel has ended, and the connection is used for no other. */
    @Override
    public void onIdle(ClientSession session, @Nullable ConnectionInfo unused) {
        session.retire();
    }

    /** The request is notified. */
    @Override
    public void onClosed(ClientSession session) {}

    // ---- the response

    @Override
    public void onHeadSent(ClientStream stream) {}

    @Override
    public void onInform(int status, Headers fields) {}

    @Override
    public void onHead(ClientStream stream, ResponseHead head) {
        if (result.isDone()) {
            stream.abort(null);
            return;
        }
        if (head.status() != Status.SWITCHING_PROTOCOLS) {
            fail(new WebSocketHandshakeException(
                    "the server answered with status " + head.status() + " instead of 101",
                    head.status(),
                    head.headers()));
            return;
        }
        try {
            WebSocketClientHandshake.Agreed agreed = handshake.agree(head, listener);
            onResponse.accept(head.headers());
            HttpVersion version = stream.isForTunnel() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
            stream.tunnel(agreed.tunnel().idleTimeout(), tunnel -> run(agreed, tunnel, version));
        } catch (WebSocketHandshakeException | RuntimeException | Error wrong) {
            fail(wrong);
        }
    }

    @Override
    public void onFailed(ClientException failure) {
        fail(failure.getCause() instanceof SSLException untrusted ? untrusted : failure);
    }

    // ---- the WebSocket

    /** Runs the connection in an exchange, whose request is only a description of ours. */
    private void run(WebSocketClientHandshake.Agreed agreed, HttpStream stream, HttpVersion version) {
        stream.onDrain(agreed.tunnel()::drain);
        NonBlockingHandler root = exchange -> open(agreed, exchange);
        new ExchangeDispatcher(root, client.workers(), client.timers(), ExchangeOptions.defaults())
                .dispatch(head(version), stream);
    }

    private void open(WebSocketClientHandshake.Agreed agreed, HttpExchange exchange) throws Exception {
        try {
            agreed.tunnel().handle(exchange);
        } catch (RuntimeException | Error wrong) {
            fail(wrong);
            throw wrong;
        }
        if (!result.complete(agreed.connection())) {
            agreed.connection().abort(new IOException("the connection attempt was cancelled"));
        }
    }

    private RequestHead head(HttpVersion version) {
        String path = request.uri().getRawPath();
        RequestPath parsed = path == null || path.isEmpty() ? null : RequestPath.parse(path, EncodedSlash.DECODE);
        return new RequestHead(
                "GET",
                request.target(),
                parsed == null ? RequestPath.NONE : parsed,
                request.uri().getRawQuery(),
                version,
                request.isSecure() ? "https" : "http",
                request.authority(),
                new Headers(),
                0);
    }
}
