package io.millrace.exchange;

import io.millrace.http.Method;
import java.util.concurrent.TimeUnit;

/**
 * Whether the next request of a route is expected to be short, so that it may run on the thread that read it. A route begins as
 * unknown, and its requests run on workers.
 *
 * <pre>
 * from     what happened                                                to
 * UNKNOWN  64 runs in a row of up to 200 µs                             SHORT
 * SHORT    a run has waited for anything                                LONG
 * SHORT    too many runs of more than 500 µs in the last second         LONG
 * LONG     its time is over: a second, and twice as long each time      UNKNOWN
 * </pre>
 *
 * A run that waits was meant to. One that only takes long may have met a collection of garbage, or a busy processor; several in a
 * second are none of that. Thread-safe.
 */
public final class RoutePrediction {

    /** Runs. */
    static final int TRIED = 64;

    static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    static final long FIRST_PENALTY = TimeUnit.SECONDS.toNanos(1);
    static final long LAST_PENALTY = TimeUnit.MINUTES.toNanos(4);

    /** A run of more than 500 µs weighs 1, one during which another thread had to poll this. */
    static final int TAKEN_OVER = 4;

    /** The weight at which a route is not short any more. */
    static final int TOO_MUCH = 8;

    /** The time in which a weight of 1 is forgotten. */
    static final long FORGIVEN_NANOS = TimeUnit.MILLISECONDS.toNanos(125);

    /** A route that was short for so many times its last penalty begins again with the first one. */
    private static final int RELIABLE = 8;

    enum State {
        UNKNOWN,
        SHORT,
        LONG
    }

    private volatile State state = State.UNKNOWN;

    /** When a long route becomes unknown. */
    private volatile long until;

    // guarded by this
    private int inARow;
    private int weight;
    private long lastWeighed;
    private long shortSince;
    private long penalty;

    /** Of a route of which nothing is known. */
    public RoutePrediction() {}

    State state() {
        return state;
    }

    /** Whether its next run should be short. */
    boolean isShort(long now) {
        if (state == State.LONG && now - until >= 0) {
            retry();
        }
        return state == State.SHORT;
    }

    /** Whether runs on workers are to be reported. */
    boolean isUnknown() {
        return state == State.UNKNOWN;
    }

    private synchronized void retry() {
        if (state == State.LONG) {
            inARow = 0;
            state = State.UNKNOWN;
        }
    }

    /** A run on a worker. True if the route is short from now on. */
    boolean ranOnWorker(long nanos, long now) {
        if (state != State.UNKNOWN) {
            return false;
        }
        synchronized (this) {
            inARow = nanos <= SHORT_NANOS ? inARow + 1 : 0;
            if (state != State.UNKNOWN || inARow < TRIED) {
                return false;
            }
            weight = 0;
            shortSince = now;
            state = State.SHORT;
            return true;
        }
    }

    /**
     * A run on the thread that had read the request. True if the route is long from now on.
     *
     * @param waited whether it was seen waiting
     * @param takenOver whether another thread had to poll
     */
    boolean ranInline(long nanos, boolean waited, boolean takenOver, long now) {
        if (nanos <= LONG_NANOS && !waited && !takenOver) {
            return false;
        }
        synchronized (this) {
            long forgiven = (now - lastWeighed) / FORGIVEN_NANOS;
            weight = (int) Math.max(0, weight - forgiven) + (takenOver ? TAKEN_OVER : 1);
            lastWeighed = now;
            if (state != State.SHORT || !waited && weight < TOO_MUCH) {
                return false;
            }
            boolean reliable = penalty == 0 || now - shortSince > RELIABLE * penalty;
            penalty = reliable ? FIRST_PENALTY : Math.min(2 * penalty, LAST_PENALTY);
            until = now + penalty;
            state = State.LONG;
            return true;
        }
    }

    /** The routes of one servlet or handler: its methods. */
    public static final class ByMethod {

        private final RoutePrediction get = new RoutePrediction();
        private final RoutePrediction head = new RoutePrediction();
        private final RoutePrediction post = new RoutePrediction();
        private final RoutePrediction other = new RoutePrediction();

        /** Of which nothing is known. */
        public ByMethod() {}

        /** What is known of requests of this method. */
        public RoutePrediction of(String method) {
            return switch (method) {
                case Method.GET -> get;
                case Method.HEAD -> head;
                case Method.POST -> post;
                default -> other;
            };
        }
    }
}
