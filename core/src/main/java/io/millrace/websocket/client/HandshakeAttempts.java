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
 * Connects as a {@link HandshakePolicy} says: one {@link OpeningHandshake} after the other, each on a connection of its own, until one
 * succeeds, the policy has no answer to a response, or the time is over. Each attempt begins on the thread that ended the one before.
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

    /** Followed so far. */
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

    /** Also when whoever asked for it has cancelled it. */
    private void ended(@Nullable Throwable failure) {
        Timers.Timer mine = timer;
        if (mine != null) {
            mine.cancel();
        }
        OpeningHandshake attempt = current;
        if (failure != null && attempt != null) {
            attempt.cancel(failure);
        }
    }

    /** A selector of proxies may block. */
    private void route(WebSocketRequest to) {
        ProxySelector proxies = policy.proxies();
        if (proxies == null) {
            attempt(Hop.to(to));
        } else {
            work(() -> attempt(Hop.to(to, proxies)));
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

    private void attempt(Hop hop) {
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

    /** While there are others to try, a proxy that says nothing has its share of the time and no more. */
    private Timers.@Nullable Timer limit(OpeningHandshake attempt, Duration left) {
        int others = attempt.hop().others().size();
        if (others == 0) {
            return null;
        }
        Duration share = left.dividedBy(others + 1L);
        return client.timers().schedule(() -> attempt.giveUpReaching(share), share);
    }

    private void attempted(
            OpeningHandshake attempt, @Nullable WebSocketConnection connection, @Nullable Throwable failure) {
        if (connection != null && !result.complete(connection)) {
            connection.abort(new IOException("the connection attempt was cancelled"));
        } else if (failure != null) {
            try {
                if (!result.isDone() && attempt.isUnreached() && failure instanceof IOException broken) {
                    tryNext(attempt.hop(), broken);
                    return;
                }
                next(attempt, failure);
            } catch (WebSocketHandshakeException | RuntimeException | Error end) {
                result.completeExceptionally(end);
            }
        }
    }

    /** By another proxy: that this one can't be reached says nothing of the server. */
    private void tryNext(Hop failed, IOException why) {
        ProxySelector proxies = policy.proxies();
        Hop other = failed.next();
        if (proxies == null) {
            result.completeExceptionally(why);
            return;
        }
        work(() -> {
            failed.complain(proxies, why);
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
        Hop hop = attempt.hop();
        boolean byProxy = hop.proxy() != null && !attempt.hasTunnel();
        Hop proving = byProxy ? provingToProxy(hop, refused) : proving(hop, refused);
        if (proving != null) {
            attempt(proving);
        } else if (!byProxy && Redirect.isOne(refused) && policy.maxRedirects() > 0) {
            follow(hop, refused);
        } else {
            result.completeExceptionally(refused);
        }
    }

    private @Nullable Hop provingToProxy(Hop hop, WebSocketHandshakeException refused) {
        Credentials mine = policy.proxyCredentials();
        if (refused.status() != PROXY_AUTHENTICATION_REQUIRED || mine == null || hop.proxyProof() != null) {
            return null;
        }
        String proof = mine.answer(challenges(refused, "Proxy-Authenticate"), "CONNECT", hop.tunnelTarget());
        return proof == null ? null : hop.withProxyProof(proof);
    }

    /** Not to another server than the application's, nor if the application has set Authorization itself. */
    private @Nullable Hop proving(Hop hop, WebSocketHandshakeException refused) {
        Credentials mine = policy.credentials();
        if (refused.status() != UNAUTHORIZED
                || mine == null
                || hop.proof() != null
                || hop.request().fields().contains("Authorization")
                || !Redirect.isSameOrigin(request, hop.request())) {
            return null;
        }
        String proof = mine.answer(
                challenges(refused, "WWW-Authenticate"), "GET", hop.request().target());
        return proof == null ? null : hop.withProof(proof);
    }

    private static List<Challenge> challenges(WebSocketHandshakeException refused, String field) {
        return Challenge.parse(refused.fields().all(field));
    }

    private void follow(Hop hop, WebSocketHandshakeException refused) throws WebSocketHandshakeException {
        if (++redirects > policy.maxRedirects()) {
            throw new WebSocketHandshakeException(
                    "the server at " + hop.request().authority() + " answered with status " + refused.status()
                            + " after " + policy.maxRedirects() + " redirects, the most that are followed",
                    refused.status(),
                    refused.fields());
        }
        route(Redirect.of(hop.request(), refused));
    }
}
