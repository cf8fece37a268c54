package io.millrace.websocket.client;

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
import io.millrace.http1.ConnectRequest;
import io.millrace.http1.UpgradeRequest;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.protocol.HttpStream;
import io.millrace.tls.TlsEngine;
import io.millrace.websocket.WebSocketClientHandshake;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.WebSocketListener;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to open a connection: connect, CONNECT through a proxy, TLS handshake, HTTP upgrade. The first result or failure decides;
 * a failure closes the connection.
 */
final class OpeningHandshake implements Dialer.Listener, UpgradeRequest.Listener {

    private final WebSocketClient client;
    private final HandshakeTarget hop;
    private final WebSocketRequest request;
    private final WebSocketListener listener;
    private final Consumer<Headers> onResponse;
    private final WebSocketClientHandshake handshake;
    private final CompletableFuture<WebSocketConnection> result = new CompletableFuture<>();
    private volatile @Nullable Connection connection;
    private volatile Dialer.@Nullable Dial dial;
    private volatile boolean tunnel;
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

    /** Has the proxy opened a tunnel, so that responses are the server's? */
    boolean hasTunnel() {
        return tunnel;
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
        if (hop.proxy() == null ? connection == null : !tunnel) {
            unreached = true;
            fail(new SocketTimeoutException(
                    "no connection " + (hop.proxy() == null ? "without proxy" : "through the proxy " + hop.proxyName())
                            + " within " + after.toMillis() + " ms"));
        }
    }

    CompletableFuture<WebSocketConnection> begin(Duration timeout) {
        CompletableFuture<WebSocketConnection> unused = result.whenComplete((opened, failure) -> ended(failure));
        dial = client.dialer().connect(hop.peer(), timeout, this);
        if (result.isDone()) {
            ended(result.isCompletedExceptionally() ? new IOException("the connection attempt was cancelled") : null);
        }
        return result;
    }

    /** Does nothing if the attempt has ended. Thread-safe. */
    void cancel(Throwable why) {
        fail(why);
    }

    /** Idempotent. */
    private void ended(@Nullable Throwable failure) {
        if (failure != null) {
            Dialer.Dial dialled = dial;
            if (dialled != null) {
                dialled.cancel();
            }
            Connection open = connection;
            if (open != null) {
                open.close(failure);
            }
        }
    }

    @Override
    public void onConnected(Connection plain) {
        connection = plain;
        if (result.isDone()) {
            plain.close(null);
        } else if (hop.proxy() == null) {
            secure(plain);
        } else {
            try {
                ConnectRequest.send(plain, hop.tunnelTarget(), hop.tunnelFields(), new TunnelListener());
            } catch (RuntimeException | Error wrong) {
                fail(wrong);
            }
        }
    }

    private void secure(Connection plain) {
        if (!request.isSecure()) {
            upgrade(plain);
            return;
        }
        try {
            TlsEngine engine = client.tls().create(request.host(), request.port());
            client.layer().connect(plain, engine, this::upgrade, this::fail);
        } catch (IOException | RuntimeException | Error wrong) {
            fail(wrong);
        }
    }

    @Override
    public void onFailed(DialException failure) {
        unreached = true;
        fail(failure);
    }

    /** Ends the attempt and closes the connection. */
    private void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    /** Receives the proxy's response. */
    private final class TunnelListener implements ConnectRequest.Listener {

        @Override
        public void onTunnel(Connection open) {
            tunnel = true;
            if (result.isDone()) {
                open.close(null);
            } else {
                secure(open);
            }
        }

        @Override
        public void onRefused(ResponseHead response) {
            fail(new WebSocketHandshakeException(
                    "the proxy " + hop.proxyName() + " answered with status " + response.status()
                            + " instead of opening a tunnel to " + hop.tunnelTarget(),
                    response.status(),
                    response.headers()));
        }

        @Override
        public void onFailed(IOException failure) {
            unreached = true;
            fail(new IOException(
                    "cannot open a tunnel through the proxy " + hop.proxyName() + ": " + failure.getMessage(),
                    failure));
        }
    }

    private void upgrade(Connection ready) {
        Headers fields = new Headers().add("Host", request.authority());
        append(handshake.fields(), fields);
        append(hop.fields(), fields);
        try {
            UpgradeRequest.send(ready, request.target(), fields, this);
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
    public void onRefused(ResponseHead response) {
        fail(new WebSocketHandshakeException(
                "the server answered with status " + response.status() + " instead of 101",
                response.status(),
                response.headers()));
    }

    @Override
    public void onFailed(IOException failure) {
        fail(failure);
    }

    @Override
    public void onUpgraded(ResponseHead response, UpgradeRequest.Upgraded upgraded) {
        if (result.isDone()) {
            upgraded.close();
            return;
        }
        try {
            WebSocketClientHandshake.Agreed agreed = handshake.agree(response, listener);
            onResponse.accept(response.headers());
            upgraded.take(agreed.tunnel().idleTimeout(), stream -> run(agreed, stream));
        } catch (WebSocketHandshakeException | RuntimeException | Error wrong) {
            upgraded.close();
            fail(wrong);
        }
    }

    /** Runs the connection in an exchange, whose request is only a description of ours. */
    private void run(WebSocketClientHandshake.Agreed agreed, HttpStream stream) {
        stream.onDrain(agreed.tunnel()::drain);
        NonBlockingHandler root = exchange -> open(agreed, exchange);
        new ExchangeDispatcher(root, client.workers(), client.timers(), ExchangeOptions.defaults())
                .dispatch(head(), stream);
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

    private RequestHead head() {
        String path = request.uri().getRawPath();
        RequestPath parsed = path == null || path.isEmpty() ? null : RequestPath.parse(path, EncodedSlash.DECODE);
        return new RequestHead(
                "GET",
                request.target(),
                parsed == null ? RequestPath.NONE : parsed,
                request.uri().getRawQuery(),
                HttpVersion.HTTP_1_1,
                request.isSecure() ? "https" : "http",
                request.authority(),
                new Headers(),
                0);
    }
}
