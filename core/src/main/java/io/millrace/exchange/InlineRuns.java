package io.millrace.exchange;

import io.millrace.workers.Workers;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a connector ran on the threads that had read it, instead of on workers, and how often a route changed. Thread-safe.
 */
public final class InlineRuns {

    private static final Logger LOG = Logger.getLogger(InlineRuns.class);

    private final LongAdder runs = new LongAdder();
    private final LongAdder takeOvers = new LongAdder();
    private final LongAdder becameShort = new LongAdder();
    private final LongAdder becameLong = new LongAdder();

    /** None. */
    public InlineRuns() {}

    /** The number of requests that ran on the thread that had read them. */
    public long runs() {
        return runs.sum();
    }

    /** How often another thread had to poll in place of one that ran a request. */
    public long takeOvers() {
        return takeOvers.sum();
    }

    /** How often a route became short, or {@linkplain #becameLong long}. */
    public long becameShort() {
        return becameShort.sum();
    }

    /** {@link #becameShort}. */
    public long becameLong() {
        return becameLong.sum();
    }

    void ranOnWorker(RoutePrediction route, long nanos, boolean waited, long now) {
        count(route, route.ranOnWorker(nanos, waited, now), nanos, waited ? "waits" : "takes long");
    }

    /** @param waited whether it was measured, and has waited */
    void ranInline(
            RoutePrediction route, long nanos, boolean waited, Workers.Verdict verdict, boolean takenOver, long now) {
        runs.increment();
        if (takenOver) {
            takeOvers.increment();
        }
        boolean waits = waited || verdict == Workers.Verdict.WAITED;
        count(route, route.ranInline(nanos, waited, verdict, now), nanos, waits ? "waits" : "takes long");
    }

    private void count(RoutePrediction route, RoutePrediction.@Nullable State found, long nanos, String why) {
        if (found == RoutePrediction.State.SHORT) {
            becameShort.increment();
            LOG.debugf("A route is short; its requests run on I/O threads: %s", route);
        } else if (found == RoutePrediction.State.LONG) {
            becameLong.increment();
            LOG.debugf(
                    "A route is not short; its requests run on workers: %s %s, last for %d µs",
                    route, why, nanos / 1_000);
        }
    }
}
