package io.millrace.websocket.client;

import io.millrace.http.Headers;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.WebSocketListener;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection attempts of one request: one {@link OpeningHandshake} after the other, each on a connection of its own, until one
 * succeeds, the {@link HandshakePolicy} allows no further attempt, or the timeout expires. Each attempt begins on the thread that ended the last.
 */
final class HandshakeAttempts {

    private static final int UNAUTHORIZED = 401;
    private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

    private final WebSocketClient client;
    private final WebSocketRequest request;
    private final HandshakePolicy policy;
    private final WebSocketListener listener;
    private final Consumer<Headers> onResponse;
    private final long deadline;
    private final CompletableFuture<WebSocketConnection> result = new CompletableFuture<>();
    private Timers.@Nullable Timer timer;
    private volatile @Nullable OpeningHandshake current;

    /** The number of redirects followed so far. */
    private int redirects;

    HandshakeAttempts(
            WebSocketClient client,
            WebSocketRequest request,
            WebSocketListener listener,
            Consumer<Headers> onResponse) {
        this.client = client;
        this.request = request;
        policy = client.policy();
        this.listener = listener;
        this.onResponse = onResponse;
        deadline = System.nanoTime() + Delays.nanos(request.timeout());
    }

    CompletableFuture<WebSocketConnection> begin() {
        timer = client.timers().schedule(this::timeout, request.timeout());
        CompletableFuture<WebSocketConnection> unused = result.whenComplete((opened, failure) -> ended(failure));
        route(request);
        return result;
    }

    private void timeout() {
        result.completeExceptionally(new SocketTimeoutException("no WebSocket connection to " + request.authority()
                + " within " + request.timeout().toMillis() + " ms"));
    }

    /** Also called when the application cancels the future. */
    private void ended(@Nullable Throwable failure) {
        Timers.Timer running = timer;
        if (running != null) {
            running.cancel();
        }
        OpeningHandshake attempt = current;
        if (failure != null && attempt != null) {
            attempt.cancel(failure);
        }
    }

    /** Runs on a worker if there is a proxy selector, because it may block. */
    private void route(WebSocketRequest to) {
        ProxySelector proxies = policy.proxies();
        if (proxies == null) {
            attempt(HandshakeTarget.to(to));
        } else {
            work(() -> attempt(HandshakeTarget.to(to, proxies)));
        }
    }

    private void work(Runnable task) {
        try {
            client.workers().execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error wrong) {
                    result.completeExceptionally(wrong);
                }
            });
        } catch (RejectedExecutionException none) {
            result.completeExceptionally(none);
        }
    }

    private void attempt(HandshakeTarget hop) {
        Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        OpeningHandshake attempt = new OpeningHandshake(client, hop, listener, onResponse);
        current = attempt;
        Timers.Timer share = limit(attempt, left);
        CompletableFuture<WebSocketConnection> unused = attempt.begin(left).whenComplete((connection, failure) -> {
            if (share != null) {
                share.cancel();
            }
            attempted(attempt, connection, failure);
        });
        if (result.isDone()) {
            attempt.cancel(new IOException("the connection attempt was cancelled"));
        }
    }

    /** While there are other proxies to try, an unresponsive one gets only its share of the time. */
    private Timers.@Nullable Timer limit(OpeningHandshake attempt, Duration left) {
        int others = attempt.hop().others().size();
        if (others == 0) {
            return null;
        }
        Duration share = left.dividedBy(others + 1L);
        return client.timers().schedule(() -> attempt.routeTimeout(share), share);
    }

    private void attempted(
            OpeningHandshake attempt, @Nullable WebSocketConnection connection, @Nullable Throwable failure) {
        if (connection != null && !result.complete(connection)) {
            connection.abort(new IOException("the connection attempt was cancelled"));
        } else if (failure != null) {
            try {
                if (!result.isDone() && attempt.hasFailedToConnect() && failure instanceof IOException broken) {
                    tryNext(attempt.hop(), broken);
                    return;
                }
                if (!result.isDone() && attempt.mustFallBack(failure)) {
                    attempt(attempt.hop());
                    return;
                }
                next(attempt, failure);
            } catch (WebSocketHandshakeException | RuntimeException | Error end) {
                result.completeExceptionally(end);
            }
        }
    }

    /** Tries the next proxy: that this one is unreachable does not mean that the server is. */
    private void tryNext(HandshakeTarget failed, IOException why) {
        ProxySelector proxies = policy.proxies();
        HandshakeTarget other = failed.next();
        if (proxies == null) {
            result.completeExceptionally(why);
            return;
        }
        work(() -> {
            failed.reportFailure(proxies, why);
            if (other == null) {
                result.completeExceptionally(why);
            } else {
                attempt(other);
            }
        });
    }

    private void next(OpeningHandshake attempt, Throwable failure) throws WebSocketHandshakeException {
        if (result.isDone() || !(failure instanceof WebSocketHandshakeException refused)) {
            result.completeExceptionally(failure);
            return;
        }
        HandshakeTarget hop = attempt.hop();
        boolean byProxy = hop.proxy() != null && !attempt.hasReachedServer();
        HandshakeTarget authenticated = byProxy ? proxyAuthenticated(hop, refused) : authenticated(hop, refused);
        if (authenticated != null) {
            attempt(authenticated);
        } else if (!byProxy && Redirect.isOne(refused) && policy.maxRedirects() > 0) {
            follow(hop, refused);
        } else {
            result.completeExceptionally(refused);
        }
    }

    private @Nullable HandshakeTarget proxyAuthenticated(HandshakeTarget hop, WebSocketHandshakeException refused) {
        Credentials credentials = policy.proxyCredentials();
        if (refused.status() != PROXY_AUTHENTICATION_REQUIRED
                || credentials == null
                || hop.proxyAuthorization() != null) {
            return null;
        }
        String answer = credentials.answer(challenges(refused, "Proxy-Authenticate"), "CONNECT", hop.tunnelTarget());
        return answer == null ? null : hop.withProxyAuthorization(answer);
    }

    /** Null for a server other than the application's, or if the application has set Authorization itself. */
    private @Nullable HandshakeTarget authenticated(HandshakeTarget hop, WebSocketHandshakeException refused) {
        Credentials credentials = policy.credentials();
        if (refused.status() != UNAUTHORIZED
                || credentials == null
                || hop.authorization() != null
                || hop.request().fields().contains("Authorization")
                || !Redirect.isSameOrigin(request, hop.request())) {
            return null;
        }
        String answer = credentials.answer(
                challenges(refused, "WWW-Authenticate"), "GET", hop.request().target());
        return answer == null ? null : hop.withAuthorization(answer);
    }

    private static List<Challenge> challenges(WebSocketHandshakeException refused, String field) {
        return Challenge.parse(refused.fields().all(field));
    }

    private void follow(HandshakeTarget hop, WebSocketHandshakeException refused) throws WebSocketHandshakeException {
        if (++redirects > policy.maxRedirects()) {
            throw new WebSocketHandshakeException(
                    "the server at " + hop.request().authority() + " answered with status " + refused.status()
                            + " after " + policy.maxRedirects() + " redirects, which is the configured maximum",
                    refused.status(),
                    refused.fields());
        }
        route(Redirect.of(hop.request(), refused));
    }
}
