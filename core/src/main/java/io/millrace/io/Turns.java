package io.millrace.io;

import java.util.concurrent.Executor;

/** Runs tasks in the order they come, on threads that can tell whether there are more. */
public interface Turns extends Executor {

    /**
     * Is the calling thread one of these, and do tasks wait for it that are short, as far as is known? Then what can wait
     * is better done behind them, as a task of its own: it will not wait for long.
     */
    default boolean areOthersWaiting() {
        return false;
    }
}
