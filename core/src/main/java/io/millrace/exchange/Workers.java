package io.millrace.exchange;

import io.millrace.io.Turns;

/** An executor whose threads may block, and which knows them. */
public interface Workers extends Turns {

    /** True if the current thread is one of its own: then what may block can run in place. */
    boolean isWorker();

    /**
     * Lets go, soon, of all that tasks left in the thread-locals of these threads: it would keep the classes of an
     * application that has ended in memory. Does nothing otherwise. Any thread.
     */
    default void renew() {}
}
