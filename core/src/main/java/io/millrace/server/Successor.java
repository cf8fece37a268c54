package io.millrace.server;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the place of an application that is being replaced: requests wait for the next one. They hold no thread. A request that
 * has waited for half a minute, or finds too many waiting, gets a 503 response with {@code Retry-After}. Thread-safe.
 */
public final class Successor implements NonBlockingHandler {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    /** Few enough that the connections of those that wait leave room for other applications. */
    private static final int MOST = 1_000;

    private static final String RETRY_AFTER_SECONDS = "5";

    private final Duration longest;
    private final int most;

    // guarded by this
    private final Map<HttpExchange, Suspension> waiting = new LinkedHashMap<>();
    private @Nullable HttpHandler next;

    /** Nobody waits yet. */
    public Successor() {
        this(LONGEST, MOST);
    }

    /** For tests: with other limits. */
    Successor(Duration longest, int most) {
        this.longest = longest;
        this.most = most;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        HttpHandler there = waitOrNext(exchange);
        if (there != null) {
            Route.follow(exchange, there);
        }
    }

    /** Suspends a request; or returns who handles it. */
    private synchronized @Nullable HttpHandler waitOrNext(HttpExchange exchange) {
        if (next != null) {
            return next;
        }
        if (waiting.size() >= most) {
            return (NonBlockingHandler) Successor::refuse;
        }
        exchange.onEnd(outcome -> gone(exchange));
        waiting.put(exchange, exchange.suspend(longest, late -> {
            gone(late);
            refuse(late);
        }));
        return null;
    }

    private static void refuse(HttpExchange exchange) {
        exchange.response().headers().set("Retry-After", RETRY_AFTER_SECONDS);
        Responses.error(exchange, 503);
    }

    private synchronized void gone(HttpExchange exchange) {
        waiting.remove(exchange);
    }

    /** Lets the requests that have waited, and all that come, go on to a handler. Called once. */
    public void is(HttpHandler successor) {
        for (Map.Entry<HttpExchange, Suspension> each : taken(successor)) {
            try {
                each.getValue().resume(successor);
            } catch (RuntimeException | Error failed) { // no worker takes it, for example
                each.getKey().abort(failed);
            }
        }
    }

    private synchronized List<Map.Entry<HttpExchange, Suspension>> taken(HttpHandler successor) {
        next = successor;
        List<Map.Entry<HttpExchange, Suspension>> all = new ArrayList<>(waiting.entrySet());
        waiting.clear();
        return all;
    }
}
