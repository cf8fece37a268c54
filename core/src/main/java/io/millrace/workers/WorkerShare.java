package io.millrace.workers;

import java.util.concurrent.Executor;

/**
 * The part of the workers that one client may occupy. Runs tasks on the workers, but not more at the same time than the
 * part allows; the others wait in order, and hold no thread. Rejects tasks only as the workers do. Thread-safe.
 */
public interface WorkerShare extends Executor {

    /**
     * An executor for tasks that others of this share start, and may wait for: they count like the others, but one of them
     * runs whatever the part allows, and also one that was submitted by such a task, and so on. So a task never waits for
     * one that waits for its end.
     */
    Executor nested();

    /** Whether the current thread runs a task of this share, and further work on it occupies nothing more. */
    boolean isHeld();
}
