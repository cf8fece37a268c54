package io.millrace.exchange;

import io.millrace.io.LoopRole;
import io.millrace.workers.KernelThread;
import io.millrace.workers.Workers;
import org.jspecify.annotations.Nullable;

/** One run of a route whose length is of interest. Begins and ends on the same thread. */
final class MeasuredRun {

    /** {@link #waits} if those are not counted. */
    private static final long NOT_COUNTED = Long.MIN_VALUE;

    private final InlineRuns runs;
    private final RoutePrediction route;
    private final Workers workers;

    /** Null on a worker. */
    private final @Nullable LoopRole role;

    private final long waits;
    private final long begun;

    private MeasuredRun(
            InlineRuns runs, RoutePrediction route, Workers workers, @Nullable LoopRole role, long waits, long begun) {
        this.runs = runs;
        this.route = route;
        this.workers = workers;
        this.role = role;
        this.waits = waits;
        this.begun = begun;
    }

    /** Begins a run on a worker. */
    static MeasuredRun onWorker(InlineRuns runs, RoutePrediction route, Workers workers) {
        return new MeasuredRun(runs, route, workers, null, KernelThread.waits(), System.nanoTime());
    }

    /**
     * Begins a run on the current thread, an event loop's, that might block but is expected to be short; null, without effect, if that is
     * not possible. If it is not short, a worker polls for the loop meanwhile, and this thread counts as a worker.
     */
    static @Nullable MeasuredRun inline(
            InlineRuns runs, RoutePrediction route, Workers workers, LoopRole role, long now) {
        if (!workers.beginInline(role, now)) {
            return null;
        }
        try {
            long waits = RoutePrediction.isMeasured(role.loans()) ? KernelThread.waits() : NOT_COUNTED;
            return new MeasuredRun(runs, route, workers, role, waits, now);
        } catch (Throwable shortage) { // the role must not remain lent
            workers.endInline(role);
            return null;
        }
    }

    void end() {
        long now = System.nanoTime();
        Workers.Verdict verdict =
                role == null ? Workers.Verdict.SHORT : workers.endInline(role); // first: it must not be left out
        boolean waited = waits != NOT_COUNTED && KernelThread.waits() != waits;
        if (role == null) {
            runs.ranOnWorker(route, now - begun, waited, now);
        } else {
            runs.ranInline(route, now - begun, waited, verdict, role.isLost(), now);
        }
    }
}
