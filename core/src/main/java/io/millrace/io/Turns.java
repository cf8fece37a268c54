package io.millrace.io;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks in order, on threads that know whether more are queued. */
public interface Turns extends Executor {

    /**
     * Submits a task to these threads.
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

    /** Submits a task to these threads. False if they reject it: then the caller runs it. */
    default boolean take(Runnable task) {
        try {
            execute(task);
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }
}
