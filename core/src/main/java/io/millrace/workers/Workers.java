package io.millrace.workers;

import io.millrace.io.Turns;

/** An executor whose threads may block, and which knows them. */
public interface Workers extends Turns {

    /** True if the current thread is one of its own: then what may block can run in place. */
    boolean isWorker();

    /**
     * The current thread begins to wait for its client. If it is one of the pool's own, another may take its place until
     * {@link #endWait}, which the same thread calls.
     */
    default void beginWait() {}

    /** The end of a {@link #beginWait}. */
    default void endWait() {}

    /**
     * Lets go, soon, of all that tasks left in the thread-locals of these threads: it would keep the classes of an
     * application that has ended in memory. Does nothing otherwise. Any thread.
     */
    default void renew() {}
}
