package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Periodically ends idle sessions: one timer for an application, none while it has no sessions. Runs on a worker, because
 * listeners may block.
 */
final class SessionSweep {

    private final ServerContext server;
    private final Duration period;
    private final Runnable sweep;
    private Timers.@Nullable Timer timer;
    private volatile boolean armed;
    private volatile boolean stopped;

    /**
     * Creates a sweep that is not scheduled yet.
     *
     * @param sweep calls {@link #arm} again if it is to run again
     */
    SessionSweep(ServerContext server, Duration period, Runnable sweep) {
        this.server = server;
        this.period = period;
        this.sweep = sweep;
    }

    /** Schedules the sweep. Thread-safe; cheap if it is already scheduled. */
    void arm() {
        if (!armed) {
            schedule();
        }
    }

    private synchronized void schedule() {
        if (armed || stopped) {
            return;
        }
        armed = true; // before it is scheduled: it may be due at once
        try {
            timer = server.timers().schedule(this::due, period);
        } catch (RejectedExecutionException stopping) {
            stopped = true;
        } catch (Error e) { // without a thread for the timer
            armed = false;
            throw e;
        }
    }

    /** Cancels the timer, which would keep the application in memory. It cannot be scheduled again. */
    synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void due() {
        armed = false;
        if (stopped) {
            return;
        }
        boolean handedOver = false;
        try {
            server.workers().execute(sweep);
            handedOver = true;
        } catch (RejectedExecutionException busy) {
            // tried again, as after an Error
        } finally {
            if (!handedOver) {
                arm();
            }
        }
    }
}
