package io.millrace.workers;

import io.millrace.io.Turns;

/** An executor whose threads may block, and which recognizes them. */
public interface Workers extends Turns {

    /** Whether the current thread is a worker of this executor, so that blocking code can run directly. */
    boolean isWorker();

    /**
     * Called before the current thread blocks to wait for its client. If it is a worker of a pool, another thread may
     * replace it until {@link #endWait}, which the same thread must call.
     */
    default void beginWait() {}

    /** Called after the wait that {@link #beginWait} announced. */
    default void endWait() {}

    /**
     * Soon releases what tasks have left in the thread-locals of these threads, which would keep the classes of a
     * stopped application reachable. Does nothing if the threads are not reused. Safe to call from any thread.
     */
    default void renew() {}
}
