package io.millrace.exchange;

import io.millrace.io.Timers;
import io.millrace.workers.WorkerShare;
import io.millrace.workers.Workers;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The state that all exchanges of a dispatcher share.
 *
 * @param share the part of the workers that handlers, and what they start, may occupy; null for all. What only continues a
 *     response runs outside of it, since handlers may wait for it
 * @param requestIds whether each exchange gets a {@link RequestId}
 * @param inline counts the handlers that run on I/O threads because they are expected to be short; null if none may
 */
record ExchangeContext(
        Workers workers,
        @Nullable WorkerShare share,
        Timers timers,
        ExchangeOptions options,
        Attributes given,
        boolean requestIds,
        RequestMeter meter,
        @Nullable InlineRuns inline) {

    /** The same with handlers that get a share of the workers. */
    ExchangeContext with(WorkerShare other) {
        return new ExchangeContext(workers, other, timers, options, given, requestIds, meter, inline);
    }

    /** The same with ids for requests. */
    ExchangeContext withRequestIds() {
        return new ExchangeContext(workers, share, timers, options, given, true, meter, inline);
    }

    /** The same with handlers that run on I/O threads if they are expected to be short. */
    ExchangeContext with(InlineRuns runs) {
        return new ExchangeContext(workers, share, timers, options, given, requestIds, meter, runs);
    }

    /** Runs the handlers that may block. */
    Executor steps() {
        return share == null ? workers : share;
    }

    /** Runs what applications start besides their handlers. */
    Executor tasks() {
        return share == null ? workers : share.nested();
    }

    /** Whether a handler that may block may run on the current thread, which may be a worker. */
    boolean mayRunHere() {
        return share == null ? workers.isWorker() : share.isHeld();
    }
}
