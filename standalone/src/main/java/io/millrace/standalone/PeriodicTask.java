package io.millrace.standalone;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * A periodic task that may block. Each run has a thread of its own; between runs there is none. A failure to start the thread,
 * or an exception thrown by a run, affects only that run. Where no thread can be started for a long time, that is reported once, and
 * tried at growing intervals.
 */
final class PeriodicTask {

    /** The longest interval is so many pauses. */
    private static final int MAX_PAUSES = 32;

    private final Runnable task;
    private final Duration pause;
    private final Timers timers;
    private final ThreadFactory threads;
    private final Consumer<String> report;
    private volatile boolean stopped;
    /** How many times in a row no thread could be started. Confined to the timer thread. */
    private int failures;

    /**
     * Does not schedule the task yet.
     *
     * @param task what it throws is passed to the thread's uncaught-exception handler
     * @param pause from the end of one run to the start of the next
     * @param report receives the reason where no thread can be started
     */
    PeriodicTask(Runnable task, Duration pause, Timers timers, ThreadFactory threads, Consumer<String> report) {
        this.report = report;
        this.task = task;
        this.pause = pause;
        this.timers = timers;
        this.threads = threads;
    }

    /** Schedules the first run, after one pause. */
    void begin() {
        after(pause);
    }

    private void after(Duration time) {
        if (!stopped) {
            timers.schedule(this::startRun, time);
        }
    }

    /** Lets no further run start; does not wait for a running one. */
    void stop() {
        stopped = true;
    }

    /** Runs on the timer thread. */
    private void startRun() {
        Duration next = pause;
        boolean started = false;
        try {
            threads.newThread(this::run).start();
            started = true;
            failures = 0;
        } catch (OutOfMemoryError noThread) {
            if (failures == 0) {
                report.accept(String.valueOf(noThread.getMessage()));
            }
            failures = Math.min(failures + 1, MAX_PAUSES);
            next = pause.multipliedBy(failures);
        } finally {
            if (!started) {
                after(next);
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
