package io.millrace.server;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.net.ClientNetwork;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the place of an application that is being replaced: requests wait for the next one. They hold no thread, and no permit of
 * a {@link ConcurrencyLimit}, so that other applications are served meanwhile. A request that has waited for half a minute, or finds
 * no place, gets a 503 response with {@code Retry-After}.
 *
 * <p>The requests of one client network may hold at most half of the places that others leave, so that there is always one for the
 * next client. Processes of this machine that connect by a Unix domain socket are front ends, and have no share. Thread-safe.
 */
public final class PendingReplacement implements NonBlockingHandler {

    /** How long a request waits at most. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);
    /** How many requests wait at most: few enough that their connections leave room for other applications. */
    private static final int MAX_WAITING = 1_000;

    private static final String RETRY_AFTER_SECONDS = "5";
    private static final NonBlockingHandler REFUSAL = PendingReplacement::refuse;

    private final Duration maxWait;
    private final int maxWaiting;

    // guarded by this
    private final Set<Place> places = new LinkedHashSet<>();
    private final Map<Long, Integer> held = new HashMap<>();
    private @Nullable HttpHandler next;

    /** Nobody waits yet. */
    public PendingReplacement() {
        this(MAX_WAIT, MAX_WAITING);
    }

    /**
     * For tests: with other limits.
     *
     * @param maxWait how long a request waits
     * @param maxWaiting how many requests wait
     */
    PendingReplacement(Duration maxWait, int maxWaiting) {
        this.maxWait = maxWait;
        this.maxWaiting = maxWaiting;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        Place place = new Place(exchange);
        HttpHandler there = enter(place);
        if (there == null) {
            place.limits = ConcurrencyLimit.release(exchange); // without the lock: this may resume other requests
            there = await(place);
        }
        if (there != null) {
            Route.follow(exchange, there);
        }
    }

    /** Takes a place, which is given back when the exchange has ended; or returns who handles the request. */
    private synchronized @Nullable HttpHandler enter(Place place) {
        if (next != null) {
            return next;
        }
        if (!hasRoom(place.client)) {
            return REFUSAL;
        }
        place.exchange.onEnd(outcome -> leave(place));
        places.add(place);
        held.merge(place.client, 1, Integer::sum);
        return null;
    }

    private boolean hasRoom(long client) {
        int own = held.getOrDefault(client, 0);
        int left = maxWaiting - (places.size() - own);
        return own < (client == 0 ? left : (left + 1) / 2);
    }

    /** Suspends a request; or returns who handles it. */
    private synchronized @Nullable HttpHandler await(Place place) {
        if (next != null) {
            return limited(place, next);
        }
        place.suspension = place.exchange.suspend(maxWait, late -> {
            leave(place);
            refuse(late);
        });
        return null;
    }

    private static void refuse(HttpExchange exchange) {
        exchange.response().headers().set("Retry-After", RETRY_AFTER_SECONDS);
        Responses.error(exchange, 503);
    }

    private synchronized void leave(Place place) {
        if (places.remove(place)) {
            held.computeIfPresent(place.client, (client, own) -> own == 1 ? null : own - 1);
        }
    }

    /** Lets the requests that have waited, and all that come, go on to a handler. Called once. */
    public void complete(HttpHandler handler) {
        resume(taken(handler), handler);
    }

    /** Refuses the requests that wait, and all that come, unless the next one is there. */
    public void giveUp() {
        List<Place> waiting;
        synchronized (this) {
            if (next != null) {
                return;
            }
            waiting = taken(REFUSAL);
        }
        resume(waiting, REFUSAL);
    }

    private synchronized List<Place> taken(HttpHandler handler) {
        next = handler;
        List<Place> waiting =
                places.stream().filter(place -> place.suspension != null).toList();
        places.clear();
        held.clear();
        return waiting;
    }

    /** A request that is refused waits for no limit. */
    private static HttpHandler limited(Place place, HttpHandler next) {
        return next.equals(REFUSAL) ? next : place.limits.apply(next);
    }

    private static void resume(List<Place> waiting, HttpHandler next) {
        for (Place place : waiting) {
            try {
                HttpHandler handler = limited(place, next);
                Objects.requireNonNull(place.suspension).resume(handler);
            } catch (RuntimeException | Error failed) { // no worker takes it, for example
                place.exchange.abort(failed);
            }
        }
    }

    /** Of one request. Compared by identity. */
    private static final class Place {

        private final HttpExchange exchange;
        private final long client;
        private UnaryOperator<HttpHandler> limits = UnaryOperator.identity();

        /** Null until the request is suspended. */
        private @Nullable Suspension suspension;

        Place(HttpExchange exchange) {
            this.exchange = exchange;
            client = ClientNetwork.of(
                    exchange.channel().info().remote() instanceof InetSocketAddress remote
                            ? remote.getAddress()
                            : null);
        }
    }
}
