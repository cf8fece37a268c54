package io.millrace.io;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks in order, on threads that know whether further tasks are queued. */
public interface Turns extends Executor {

    /**
     * Submits a task.
     *
     * @throws RejectedExecutionException if the task is rejected, also because no thread can be started; it then never
     *     runs. No other exception is thrown
     */
    @Override
    void execute(Runnable task);

    /**
     * Whether the calling thread is one of these and short tasks are queued behind the current one, as far as known.
     * Work that can wait is then better submitted as a task of its own, since it will not wait for long.
     */
    default boolean areOthersWaiting() {
        return false;
    }

    /** Submits a task; false if it is rejected. The caller then runs it. */
    default boolean take(Runnable task) {
        try {
            execute(task);
            return true;
        } catch (RejectedExecutionException full) {
            return false;
        }
    }
}
