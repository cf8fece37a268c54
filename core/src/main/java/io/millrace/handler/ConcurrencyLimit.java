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
import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests are served at a time, what Tomcat's SemaphoreValve does: a further one waits, or is refused. Waiting
 * requests hold no thread, and go on in the order in which they came, on a worker. A request counts until its response is sent
 * or has failed; one whose client has gone waits no longer. The handlers that one limit {@linkplain #wrap wraps} share it. Any
 * thread.
 */
public final class ConcurrencyLimit {

    private static final NonBlockingHandler NEVER = exchange -> {};

    /** Of this limit: a request that passes two of its handlers counts once. */
    private final AttributeKey<Place> key = AttributeKey.of("place of a concurrency limit", Place.class);

    private final int refusedStatus;
    private final Set<Place> waiting = new LinkedHashSet<>();
    private int free;
    private boolean granting;

    private ConcurrencyLimit(int requests, int refusedStatus) {
        if (requests < 1) {
            throw new IllegalArgumentException("a limit of " + requests + " requests; expected at least one");
        }
        free = requests;
        this.refusedStatus = refusedStatus;
    }

    /** Beyond that many, requests wait. */
    public static ConcurrencyLimit waiting(int requests) {
        return new ConcurrencyLimit(requests, 0);
    }

    /**
     * Beyond that many, requests are refused.
     *
     * @param status what they are answered, from 400 to 599
     */
    public static ConcurrencyLimit refusing(int requests, int status) {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("the status is " + status + "; expected a number from 400 to 599");
        }
        return new ConcurrencyLimit(requests, status);
    }

    /** Limits the requests to the next handler. */
    public HttpHandler wrap(HttpHandler next) {
        NonBlockingHandler limited = exchange -> admit(exchange, next);
        return limited;
    }

    private void admit(HttpExchange exchange, HttpHandler next) throws Exception {
        if (exchange.attributes().get(key) != null) {
            Route.follow(exchange, next);
            return;
        }
        Place place = new Place();
        exchange.attributes().put(key, place);
        exchange.onEnd(outcome -> leave(place));
        if (take(place)) {
            Route.follow(exchange, next);
        } else if (refusedStatus > 0) {
            Responses.error(exchange, refusedStatus);
        } else {
            Suspension suspension = exchange.suspend(Duration.ZERO, NEVER);
            await(place, () -> resume(exchange, suspension, next));
        }
    }

    /** One that can't be resumed must not keep its place. */
    private static void resume(HttpExchange exchange, Suspension suspension, HttpHandler next) {
        try {
            suspension.resume(next);
        } catch (RuntimeException | Error failed) {
            exchange.abort(failed);
            throw failed;
        }
    }

    private synchronized boolean take(Place place) {
        if (free == 0 || !waiting.isEmpty()) {
            return false;
        }
        free--;
        place.state = State.TAKEN;
        return true;
    }

    /** The exchange is suspended: whoever gives the place up resumes it, perhaps before this has returned. */
    private void await(Place place, Runnable resume) {
        synchronized (this) {
            if (place.state == State.LEFT) {
                return; // the client was gone by then
            }
            place.state = State.WAITING;
            place.resume = resume;
            waiting.add(place);
        }
        grant();
    }

    /** The exchange is over. */
    private void leave(Place place) {
        synchronized (this) {
            if (place.state == State.TAKEN) {
                free++;
            }
            waiting.remove(place);
            place.state = State.LEFT;
        }
        grant();
    }

    /**
     * Gives free places to those that wait. One thread at a time, without a lock: an exchange that is resumed may end at once and
     * leave its place, for lack of a worker, as all others after it.
     */
    private void grant() {
        if (!begin()) {
            return;
        }
        boolean done = false;
        try {
            Runnable next = next();
            while (next != null) {
                next.run();
                next = next();
            }
            done = true;
        } finally {
            if (!done) {
                stop();
            }
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

    /** Null if nobody waits or no place is free: then this thread is done. */
    private synchronized @Nullable Runnable next() {
        Iterator<Place> places = waiting.iterator();
        if (free == 0 || !places.hasNext()) {
            granting = false;
            return null;
        }
        Place place = places.next();
        places.remove();
        free--;
        place.state = State.TAKEN;
        Runnable resume = place.resume;
        place.resume = null;
        return resume;
    }

    private enum State {
        NEW,
        WAITING,
        TAKEN,
        LEFT
    }

    /** One request's; guarded by the limit. Compared by identity. */
    private static final class Place {

        private State state = State.NEW;
        private @Nullable Runnable resume;
    }
}
