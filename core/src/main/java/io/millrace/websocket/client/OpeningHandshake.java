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
import io.millrace.http1.UpgradeRequest;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpStream;
import io.millrace.tls.TlsEngine;
import io.millrace.websocket.WebSocketClientHandshake;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.WebSocketListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection on its way: dialled, secured, upgraded. Whoever ends it first, by a result or a failure, closes what is there. */
final class OpeningHandshake implements Dialer.Listener, UpgradeRequest.Listener {

    private final WebSocketClient client;
    private final WebSocketRequest request;
    private final WebSocketListener listener;
    private final Consumer<Headers> onResponse;
    private final WebSocketClientHandshake handshake;
    private final CompletableFuture<WebSocketConnection> result = new CompletableFuture<>();
    private volatile @Nullable Connection connection;
    private Timers.@Nullable Timer timer;
    private volatile Dialer.@Nullable Dial dial;

    OpeningHandshake(
            WebSocketClient client,
            WebSocketRequest request,
            WebSocketListener listener,
            Consumer<Headers> onResponse) {
        this.client = client;
        this.request = request;
        this.listener = listener;
        this.onResponse = onResponse;
        handshake = WebSocketClientHandshake.create(request.options());
    }

    CompletableFuture<WebSocketConnection> begin() {
        timer = client.timers().schedule(this::timeout, request.timeout());
        CompletableFuture<WebSocketConnection> unused = result.whenComplete((opened, failure) -> ended(failure));
        dial = client.dialer()
                .connect(InetSocketAddress.createUnresolved(request.host(), request.port()), request.timeout(), this);
        if (result.isDone()) {
            ended(result.isCompletedExceptionally() ? new IOException("given up") : null);
        }
        return result;
    }

    private void timeout() {
        result.completeExceptionally(new SocketTimeoutException("no WebSocket to " + request.authority() + " within "
                + request.timeout().toMillis() + " ms"));
    }

    /** Also when whoever asked for it has cancelled it. More than once. */
    private void ended(@Nullable Throwable failure) {
        Timers.Timer mine = timer;
        if (mine != null) {
            mine.cancel();
        }
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

    // ---- the connection

    @Override
    public void onConnected(Connection plain) {
        connection = plain;
        if (result.isDone()) {
            plain.close(null);
            return;
        }
        if (!request.isSecure()) {
            ask(plain);
            return;
        }
        try {
            TlsEngine engine = client.tls().create(request.host(), request.port());
            client.layer().connect(plain, engine, this::ask, this::fail);
        } catch (IOException wrong) {
            fail(wrong);
        }
    }

    @Override
    public void onFailed(DialException failure) {
        fail(failure);
    }

    private void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    // ---- the request

    private void ask(Connection ready) {
        Headers fields = new Headers().add("Host", request.authority());
        append(handshake.fields(), fields);
        append(request.fields(), fields);
        try {
            UpgradeRequest.send(ready, request.target(), fields, this);
        } catch (IllegalArgumentException malformed) {
            ready.close(malformed);
            fail(malformed);
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
        WebSocketClientHandshake.Agreed agreed;
        try {
            agreed = handshake.agree(response, listener);
        } catch (WebSocketHandshakeException wrong) {
            upgraded.close();
            fail(wrong);
            return;
        }
        if (result.isDone()) {
            upgraded.close();
            return;
        }
        onResponse.accept(response.headers());
        upgraded.take(agreed.tunnel().idleTimeout(), stream -> run(agreed, stream));
    }

    /** The exchange has no request of ours: nothing is asked any more. */
    private void run(WebSocketClientHandshake.Agreed agreed, HttpStream stream) {
        stream.onDrain(agreed.tunnel()::drain);
        NonBlockingHandler root = exchange -> open(agreed, exchange);
        new ExchangeDispatcher(root, client.workers(), client.timers(), ExchangeOptions.defaults())
                .dispatch(head(), stream);
    }

    private void open(WebSocketClientHandshake.Agreed agreed, HttpExchange exchange) throws Exception {
        agreed.tunnel().handle(exchange);
        if (!result.complete(agreed.connection())) {
            agreed.connection().abort(new IOException("nobody waits for the connection any more"));
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
