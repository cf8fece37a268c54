package io.millrace.io;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs things later, on one daemon thread of its own that sleeps while nothing is due. What it runs must not block: it
 * hands work to the thread that owns it.
 */
public final class Timers implements AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    /** A timer that has not run yet. */
    public interface Timer {
        /** Any thread; too late does nothing. */
        void cancel();
    }

    public Timers(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs the task once after the delay, at the earliest. */
    public Timer schedule(Runnable task, Duration delay) {
        return scheduleNanos(task, delay.toNanos());
    }

    /** The same, for hot paths. */
    public Timer scheduleNanos(Runnable task, long nanos) {
        var scheduled = executor.schedule(task, nanos, TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    /** Stops the thread; what was scheduled does not run. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
