package io.millrace.race;

import io.millrace.io.Timers;

/** Timers of a process that can start no thread. */
public final class FailingTimers {

    private FailingTimers() {}

    /** Each use throws an {@link OutOfMemoryError}. */
    public static Timers open() {
        return new Timers("failing", thread -> {
            throw new OutOfMemoryError("planted by the test: unable to create native thread");
        });
    }
}
