package io.millrace.exchange;

import io.millrace.http.Method;
import io.millrace.workers.Workers;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether the next request of a route is expected to be short, so that it may run on the thread that read it. A route begins as
 * unknown, and its requests run on workers.
 *
 * <pre>
 * from     what happened                                                          to
 * UNKNOWN  64 runs, of which no more than 16 waited or took more than 200 µs      SHORT
 * UNKNOWN  a 17th run before that has waited, or took more than 200 µs            LONG
 * SHORT    a run was seen waiting for a millisecond                               LONG
 * SHORT    two runs within a second have computed for milliseconds                LONG
 * SHORT    for some time more than one of nine runs was slow                      LONG
 * LONG     its time is over: a second, and twice as long each time                UNKNOWN
 * </pre>
 *
 * A run is <i>slow</i> if it took more than 500 µs, or has waited at all where that is measured, which costs more than a short run: 64
 * runs of 65,536. By the clock alone a single run proves nothing: the thread may have lost its processor, or met a collection of garbage.
 * That happens to a few of many short runs, however busy the processor is, but not to one of nine. Thread-safe.
 */
public final class RoutePrediction {

    /** Runs. */
    static final int TRIED = 64;

    /** Of those, the ones that may be slow. */
    static final int TOLERATED = 16;

    /** So many runs in a row of a loop are measured, */
    private static final int MEASURED = 64;

    /** among so many. */
    private static final int MEASURED_OF = 65_536;

    static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    static final long FIRST_PENALTY = TimeUnit.SECONDS.toNanos(1);
    static final long LAST_PENALTY = TimeUnit.MINUTES.toNanos(4);

    /** What a slow run adds to the debt. One that is not takes 1 away. */
    static final int DEBT = 8;

    /** At this debt a route is not short any more: a collection of garbage makes one run slow of each loop. */
    static final int MAX_DEBT = 32 * DEBT;

    /** Two runs that compute for long within this time. */
    static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A route that was short for so many times its last penalty begins again with the first one. */
    private static final int RELIABLE = 8;

    private static final ClassValue<RoutePrediction> CLASSES = new ClassValue<>() {
        @Override
        protected RoutePrediction computeValue(Class<?> type) {
            return new RoutePrediction();
        }
    };

    enum State {
        UNKNOWN,
        SHORT,
        LONG
    }

    private volatile State state = State.UNKNOWN;

    /** When a long route becomes unknown. */
    private volatile long until;

    /** Changed under the lock. */
    private volatile int debt;

    // guarded by this
    private int tried;
    private int slow;
    private long lastComputed;
    private long shortSince;
    private long penalty;

    /** Of a route of which nothing is known. */
    public RoutePrediction() {}

    /** What is known of the calls of objects of a class other than {@link HttpHandler}s, all of which are one route. */
    public static RoutePrediction ofCalls(Class<?> type) {
        return CLASSES.get(type);
    }

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
            tried = 0;
            slow = 0;
            shortSince = until; // if it does not become short, it was so for no time
            state = State.UNKNOWN;
        }
    }

    /** A run on a worker. The new state if that has changed, else null. */
    @Nullable
    State ranOnWorker(long nanos, boolean waited, long now) {
        if (state != State.UNKNOWN) {
            return null;
        }
        synchronized (this) {
            if (state != State.UNKNOWN) {
                return null;
            }
            tried++;
            slow += waited || nanos > SHORT_NANOS ? 1 : 0;
            if (slow > TOLERATED) {
                return becomeLong(now);
            }
            if (tried < TRIED) {
                return null;
            }
            debt = 0;
            lastComputed = now - AGAIN_NANOS;
            shortSince = now;
            state = State.SHORT;
            return State.SHORT;
        }
    }

    /**
     * Whether it is measured how often a run on the thread that had read the request waits.
     *
     * @param number of the runs of one loop
     */
    static boolean isMeasured(int number) {
        return Integer.remainderUnsigned(number, MEASURED_OF) < MEASURED;
    }

    /**
     * A run on the thread that had read the request. The new state if that has changed, else null.
     *
     * @param waited whether it was measured, and has waited
     */
    @Nullable
    State ranInline(long nanos, boolean waited, Workers.Verdict verdict, long now) {
        boolean isSlow = waited || nanos > LONG_NANOS;
        if (!isSlow && debt == 0 && verdict == Workers.Verdict.SHORT) {
            return null;
        }
        synchronized (this) {
            if (state != State.SHORT) {
                return null;
            }
            debt = isSlow ? debt + DEBT : Math.max(0, debt - 1);
            boolean again = verdict == Workers.Verdict.COMPUTED && now - lastComputed < AGAIN_NANOS;
            if (verdict == Workers.Verdict.COMPUTED) {
                lastComputed = now;
            }
            return verdict == Workers.Verdict.WAITED || again || debt >= MAX_DEBT ? becomeLong(now) : null;
        }
    }

    /** Called under the lock. */
    private State becomeLong(long now) {
        boolean reliable = penalty == 0 || now - shortSince > RELIABLE * penalty;
        penalty = reliable ? FIRST_PENALTY : Math.min(2 * penalty, LAST_PENALTY);
        until = now + penalty;
        state = State.LONG;
        return State.LONG;
    }

    /** The routes of one servlet or handler: its methods. */
    public static final class ByMethod {

        private final RoutePrediction get = new RoutePrediction();
        private final RoutePrediction head = new RoutePrediction();
        private final RoutePrediction post = new RoutePrediction();
        private final RoutePrediction other = new RoutePrediction();

        private static final ClassValue<ByMethod> CLASSES = new ClassValue<>() {
            @Override
            protected ByMethod computeValue(Class<?> type) {
                return new ByMethod();
            }
        };

        /** Of which nothing is known. */
        public ByMethod() {}

        /** What is known of the handlers of a class. */
        static ByMethod ofCalls(Class<?> type) {
            return CLASSES.get(type);
        }

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
