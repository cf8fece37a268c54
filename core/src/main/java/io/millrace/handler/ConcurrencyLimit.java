package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of concurrent requests, like Tomcat's SemaphoreValve: further ones wait, for ever or until a deadline, or are
 * rejected. Waiting requests hold no thread, and continue in order of arrival, on a worker. A request counts until its response
 * has been sent or has failed, or it {@linkplain #release releases} its permits; a waiting request is removed when its client disconnects. The handlers that one limit {@linkplain
 * #wrap wraps} share it. Thread-safe.
 */
public final class ConcurrencyLimit {

    private static final int UNAVAILABLE = 503;
    /** That of the innermost limit: a request that passes two handlers of a limit is counted once. */
    private static final AttributeKey<Permit> HELD = AttributeKey.of("concurrency limit permit", Permit.class);

    private final int refusedStatus;
    private final int maxWaiting;
    private final Duration deadline;
    private final Set<Permit> waiting = new LinkedHashSet<>();
    private int free;
    private int reserved;
    private boolean granting;

    private ConcurrencyLimit(int requests, int refusedStatus, int maxWaiting, Duration deadline) {
        if (requests < 1) {
            throw new IllegalArgumentException(
                    "the limit is " + requests + " concurrent requests; expected at least 1");
        }
        free = requests;
        this.refusedStatus = refusedStatus;
        this.maxWaiting = maxWaiting;
        this.deadline = deadline;
    }

    /** A limit beyond which requests wait. */
    public static ConcurrencyLimit waiting(int requests) {
        return new ConcurrencyLimit(requests, UNAVAILABLE, Integer.MAX_VALUE, Duration.ZERO);
    }

    /**
     * A limit beyond which requests wait. One that has waited until the deadline, or finds the queue full, gets a 503 response with
     * {@code Retry-After}.
     *
     * @param maxWaiting how many requests may wait
     * @param deadline how long each may wait, at least a millisecond
     */
    public static ConcurrencyLimit queueing(int requests, int maxWaiting, Duration deadline) {
        if (maxWaiting < 1) {
            throw new IllegalArgumentException(
                    "the queue has room for " + maxWaiting + " requests; expected at least 1");
        }
        if (deadline.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("the deadline is " + deadline + "; expected at least a millisecond");
        }
        return new ConcurrencyLimit(requests, UNAVAILABLE, maxWaiting, deadline);
    }

    /**
     * A limit beyond which requests are rejected.
     *
     * @param status the status of their response, 400 to 599
     */
    public static ConcurrencyLimit refusing(int requests, int status) {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("the status is " + status + "; expected a number from 400 to 599");
        }
        return new ConcurrencyLimit(requests, status, 0, Duration.ZERO);
    }

    /** A handler that limits the requests to another one. */
    public HttpHandler wrap(HttpHandler next) {
        NonBlockingHandler limited = exchange -> admit(exchange, next);
        return limited;
    }

    /**
     * Gives back all permits of a request that is about to wait for something else than its turn. Called by the owner of its exchange.
     *
     * @return makes a handler that takes the permits again, outermost first, as a new request does: it waits for them or is refused
     */
    public static UnaryOperator<HttpHandler> release(HttpExchange exchange) {
        UnaryOperator<HttpHandler> again = UnaryOperator.identity();
        Permit permit = exchange.attribute(HELD);
        exchange.attributes().put(HELD, null);
        while (permit != null) {
            ConcurrencyLimit limit = permit.limit;
            UnaryOperator<HttpHandler> inner = again;
            again = next -> limit.wrap(inner.apply(next));
            limit.leave(permit);
            permit = permit.outer;
        }
        return again;
    }

    private void admit(HttpExchange exchange, HttpHandler next) throws Exception {
        Permit outer = exchange.attribute(HELD);
        if (outer != null && outer.isOf(this)) {
            Route.follow(exchange, next);
            return;
        }
        Permit permit = new Permit(this, outer);
        exchange.attributes().put(HELD, permit);
        exchange.onEnd(outcome -> leave(permit));
        if (take(permit)) {
            Route.follow(exchange, next);
        } else if (reserve()) {
            Suspension suspension;
            try {
                suspension = exchange.suspend(deadline, late -> {
                    leave(permit);
                    refuse(late);
                });
            } catch (RuntimeException | Error failed) {
                cancelReservation();
                throw failed;
            }
            await(permit, () -> resume(exchange, suspension, next));
        } else {
            refuse(exchange);
        }
    }

    private void refuse(HttpExchange exchange) {
        if (maxWaiting > 0) {
            long seconds = Math.max(1, deadline.toSeconds());
            exchange.response().headers().set("Retry-After", Long.toString(seconds));
        }
        Responses.error(exchange, refusedStatus);
    }

    /** A request that cannot be resumed must not keep its permit. */
    private static void resume(HttpExchange exchange, Suspension suspension, HttpHandler next) {
        try {
            suspension.resume(next);
        } catch (RuntimeException | Error failed) {
            exchange.abort(failed);
            throw failed;
        }
    }

    private synchronized boolean take(Permit permit) {
        if (free == 0 || !waiting.isEmpty()) {
            return false;
        }
        free--;
        permit.state = State.TAKEN;
        return true;
    }

    /** Whether there is room in the queue, which is then kept for a request until it is suspended. */
    private synchronized boolean reserve() {
        if (waiting.size() + reserved >= maxWaiting) {
            return false;
        }
        reserved++;
        return true;
    }

    private synchronized void cancelReservation() {
        reserved--;
    }

    /** Queues a suspended exchange. A thread that returns a permit resumes it, possibly before this method has returned. */
    private void await(Permit permit, Runnable resume) {
        synchronized (this) {
            reserved--;
            if (permit.state == State.LEFT) {
                return; // the client has disconnected, or the deadline has passed
            }
            permit.state = State.WAITING;
            permit.resume = resume;
            waiting.add(permit);
        }
        grant();
    }

    /** Called when the exchange has ended, or is refused. */
    private void leave(Permit permit) {
        synchronized (this) {
            if (permit.state == State.TAKEN) {
                free++;
            }
            waiting.remove(permit);
            permit.state = State.LEFT;
        }
        grant();
    }

    /**
     * Passes free permits to waiting requests. Done by one thread at a time, without holding the lock: a resumed
     * exchange may end at once for lack of a worker, which returns its permit. One that cannot be resumed does not keep
     * the others waiting: nobody else would wake them.
     */
    private void grant() {
        if (!begin()) {
            return;
        }
        Throwable failure = null;
        boolean done = false;
        try {
            Runnable next = next();
            while (next != null) {
                try {
                    next.run();
                } catch (RuntimeException | Error failed) {
                    failure = failure == null ? failed : failure;
                }
                next = next();
            }
            done = true;
        } finally {
            if (!done) {
                stop();
            }
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    private synchronized boolean begin() {
        if (granting) {
            return false;
        }
        granting = true;
        return true;
    }

    private synchronized void stop() {
        granting = false;
    }

    /** Null if no request is waiting or no permit is free: this thread is then done. */
    private synchronized @Nullable Runnable next() {
        Iterator<Permit> permits = waiting.iterator();
        if (free == 0 || !permits.hasNext()) {
            granting = false;
            return null;
        }
        Permit permit = permits.next();
        permits.remove();
        free--;
        permit.state = State.TAKEN;
        Runnable resume = permit.resume;
        permit.resume = null;
        return resume;
    }

    private enum State {
        NEW,
        WAITING,
        TAKEN,
        LEFT
    }

    /** The permit of one request; guarded by the limit. Compared by identity. */
    private static final class Permit {

        private final ConcurrencyLimit limit;

        /** Of the limit that the request has passed before. */
        private final @Nullable Permit outer;

        private State state = State.NEW;
        private @Nullable Runnable resume;

        Permit(ConcurrencyLimit limit, @Nullable Permit outer) {
            this.limit = limit;
            this.outer = outer;
        }

        boolean isOf(ConcurrencyLimit other) {
            return limit.equals(other) || outer != null && outer.isOf(other);
        }
    }
}
