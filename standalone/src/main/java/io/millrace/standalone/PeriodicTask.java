package io.millrace.standalone;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * A task that runs again and again, each time on a thread of its own, as it may take its time; between two runs there is
 * none. A thread that can't be started, or whatever a run throws, costs that one run.
 */
final class PeriodicTask {

    private final Runnable task;
    private final Duration pause;
    private final Timers timers;
    private final ThreadFactory threads;
    private volatile boolean stopped;

    /**
     * Not begun yet.
     *
     * @param task throws nothing but by mistake; it is reported as a thread's failure is
     * @param pause from the end of a run to the next
     */
    PeriodicTask(Runnable task, Duration pause, Timers timers, ThreadFactory threads) {
        this.task = task;
        this.pause = pause;
        this.timers = timers;
        this.threads = threads;
    }

    /** The first run follows after a pause. */
    void begin() {
        if (!stopped) {
            timers.schedule(this::startRun, pause);
        }
    }

    /** No run begins any more. */
    void stop() {
        stopped = true;
    }

    /** On the timers' thread, which reports what is thrown. */
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
