package io.millrace.exchange;

import io.millrace.io.Turns;

/** An executor whose threads may block, and which knows them. */
public interface Workers extends Turns {

    /** True if the current thread is one of its own: then what may block can run in place. */
    boolean isWorker();
}
