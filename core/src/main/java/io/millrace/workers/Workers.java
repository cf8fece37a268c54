package io.millrace.workers;

import io.millrace.io.LoopRole;
import io.millrace.io.Turns;

/** An executor whose threads may block, and which recognizes them. */
public interface Workers extends Turns {

    /** Whether the current thread is a worker of this executor, so that blocking code can run directly. */
    boolean isWorker();

    /** The number of tasks that run at the same time, unless some wait for their clients; {@link Integer#MAX_VALUE}: no limit. */
    default int maxRunning() {
        return Integer.MAX_VALUE;
    }

    /**
     * Called before the current thread blocks to wait for its client. If it is a worker of a pool, another thread may
     * replace it until {@link #endWait}, which the same thread must call.
     */
    default void beginWait() {}

    /** Called after the wait that {@link #beginWait} announced. */
    default void endWait() {}

    /**
     * Whether the current thread, which polls for an event loop, may run a task in place of a worker: one that is expected to be
     * short. If so, it counts as a worker until {@link #endInline}, which it must call, and a worker polls in its place if the task
     * is not short after all or waits in {@link #beginWait}. If not, the task is to be executed as any other.
     *
     * @param role the loop's
     * @param now {@link System#nanoTime}
     */
    default boolean beginInline(LoopRole role, long now) {
        return false;
    }

    /**
     * Ends what {@link #beginInline} began. If a worker polls meanwhile ({@link LoopRole#isLost}), the current thread remains a worker
     * until it is back in its loop.
     */
    default Verdict endInline(LoopRole role) {
        return Verdict.SHORT;
    }

    /** What was found of a task that ran on the thread of an event loop. */
    enum Verdict {

        /** It was short; or it only had to wait for a processor, or for one who had, so that it might have been. */
        SHORT,

        /** It computed for milliseconds. */
        COMPUTED,

        /** It waited for something else than a processor or a lock, for a millisecond at least; or in {@link #beginWait}. */
        WAITED
    }

    /**
     * An executor for the tasks of one connection that has many requests at once. It runs them here, but not so many at
     * the same time that other connections get no thread; the others wait in order, and it rejects tasks only as this
     * executor does.
     *
     * @param most the maximum number of its tasks that run at the same time; {@link Integer#MAX_VALUE} for no other
     *     limit than the fair share
     * @param reached called when a task has to wait, on the thread that submits it
     */
    default WorkerShare share(int most, Runnable reached) {
        return new WorkerShares(Integer.MAX_VALUE).share(this, most, reached);
    }

    /**
     * Soon releases what tasks have left in the thread-locals of these threads, which would keep the classes of a
     * stopped application reachable. Does nothing if the threads are not reused. Safe to call from any thread.
     */
    default void renew() {}
}
