package io.millrace.servlet.session;

import io.millrace.ServerContext;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks for idle sessions every ten seconds while there are any: one timer for an application, none while it has no
 * sessions. The work is done on a worker, for listeners may block.
 */
final class SessionSweep {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final ServerContext server;
    private final Runnable sweep;
    private final AtomicBoolean armed = new AtomicBoolean();

    /**
     * Not running yet.
     *
     * @param sweep calls {@link #arm} again if it is to run again
     */
    SessionSweep(ServerContext server, Runnable sweep) {
        this.server = server;
        this.sweep = sweep;
    }

    /** There are sessions. Any thread; cheap if it is armed. */
    void arm() {
        if (!armed.get() && armed.compareAndSet(false, true)) {
            try {
                server.timers().schedule(this::due, PERIOD);
            } catch (RejectedExecutionException stopping) {
                armed.set(false);
            }
        }
    }

    private void due() {
        armed.set(false);
        try {
            server.workers().execute(sweep);
        } catch (RejectedExecutionException busy) {
            arm();
        }
    }
}
