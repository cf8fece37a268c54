package io.millrace.io;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks in the order they come, on threads that can tell whether there are more. */
public interface Turns extends Executor {

    /**
     * Leaves a task to these threads.
     *
     * @throws RejectedExecutionException if they take none now; also where no thread can be started. Nothing else is thrown,
     *     and a task that is rejected never runs
     */
    @Override
    void execute(Runnable task);

    /**
     * Is the calling thread one of these, and do tasks wait for it that are short, as far as is known? Then what can wait
     * is better done behind them, as a task of its own: it will not wait for long.
     */
    default boolean areOthersWaiting() {
        return false;
    }

    /** Leaves a task to these threads. False if they take none: the caller goes on with it. */
    default boolean take(Runnable task) {
        try {
            execute(task);
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }
}
