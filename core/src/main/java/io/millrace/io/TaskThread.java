package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * A thread that runs one task after another. What is to come soon, but not inside the task that brings it about, costs less
 * behind that task on the same thread than on another one, which would have to be woken.
 */
public interface TaskThread {

    /** The current thread, if it is one. */
    static @Nullable TaskThread current() {
        return Thread.currentThread() instanceof TaskThread self ? self : null;
    }

    /** Runs something when the current task is over. By a task of this thread only. */
    void afterTask(Runnable action);
}
