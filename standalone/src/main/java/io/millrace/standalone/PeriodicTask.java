package io.millrace.standalone;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * A periodic task that may block. Each run has a thread of its own; between runs there is none. A failure to start the thread,
 * or an exception thrown by a run, affects only that run.
 */
final class PeriodicTask {

    private final Runnable task;
    private final Duration pause;
    private final Timers timers;
    private final ThreadFactory threads;
    private volatile boolean stopped;

    /**
     * Does not schedule the task yet.
     *
     * @param task what it throws is passed to the thread's uncaught-exception handler
     * @param pause from the end of one run to the start of the next
     */
    PeriodicTask(Runnable task, Duration pause, Timers timers, ThreadFactory threads) {
        this.task = task;
        this.pause = pause;
        this.timers = timers;
        this.threads = threads;
    }

    /** Schedules the first run, after one pause. */
    void begin() {
        if (!stopped) {
            timers.schedule(this::startRun, pause);
        }
    }

    /** Lets no further run start; does not wait for a running one. */
    void stop() {
        stopped = true;
    }

    /** Runs on the timer thread, which reports exceptions. */
    private void startRun() {
        boolean started = false;
        try {
            threads.newThread(this::run).start();
            started = true;
        } finally {
            if (!started) {
                begin();
            }
        }
    }

    private void run() {
        try {
            if (!stopped) {
                task.run();
            }
        } finally {
            begin();
        }
    }
}
