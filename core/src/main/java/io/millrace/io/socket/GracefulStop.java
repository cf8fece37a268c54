package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The graceful stop of a transport ({@link io.millrace.io.Transport#stop}): its actions in order, and the end when the
 * last connection is closed and no other can be accepted.
 *
 * <pre>
 * from      event      to        action
 * OPEN      stop       STOPPING  announces, closes the acceptor, drains, starts the timer of the grace period
 * STOPPING  last left  -         another connection may still be accepted
 * STOPPING  all done   SHUT      if no connection is left: as below
 * SHUT      last left  ENDED     releases the threads
 * STOPPING  stop       -         shortens the grace period, if the new one ends earlier
 * SHUT      stop       -         as before
 * ENDED     stop       -         ignored
 * </pre>
 */
public final class GracefulStop {

    /**
     * The actions of a transport. Each is called once, in this order; the cut and the release by other threads, and the cut again if
     * the grace period is shortened while it runs.
     */
    public interface Actions {
        /** Notifies every connection's handler, which only sets a flag. Connections are still being accepted. */
        void announce();

        /** Closes the listening socket, if there is one; when this method returns, no further connection is accepted. */
        void closeAcceptor();

        /** Lets every connection's handler check its connection: an idle one closes itself. */
        void drain();

        /** Closes all remaining connections at the end of the grace period. */
        void cut(IOException why);

        /** The number of open connections. */
        int connections();

        /** Releases the threads; completed when they have ended. */
        CompletionStage<Void> release();
    }

    private enum State {
        OPEN,
        STOPPING,
        SHUT,
        ENDED
    }

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private final Actions actions;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private volatile State state = State.OPEN;
    private volatile Timers.@Nullable Timer graceTimer;
    /** When the grace period is over; confined to the callers of {@link #stop}. */
    private long deadline;

    /** The stop of the transport that has these actions. */
    public GracefulStop(Actions actions) {
        this.actions = actions;
    }

    /** Whether {@link #stop} has been called. Safe to call from any thread. */
    public boolean isStopping() {
        return state != State.OPEN;
    }

    /**
     * Starts the stop; a further call can only shorten the grace period. The caller serializes the calls. It is announced before the listening socket is closed, so that nothing new is started once a
     * client's connection has been refused. A connection that is accepted meanwhile must be notified when its handler is
     * installed ({@link #isStopping}).
     *
     * @return completed when no connection and no thread is left
     */
    public CompletionStage<Void> stop(Duration grace, Timers timers) {
        if (!STATE.compareAndSet(this, State.OPEN, State.STOPPING)) {
            hasten(grace, timers);
            return stopped;
        }
        try {
            actions.announce();
            actions.closeAcceptor();
            actions.drain();
        } finally { // even if a step fails, for lack of memory for example
            startTimer(grace, timers);
            state = State.SHUT;
            if (actions.connections() == 0) {
                end();
            }
        }
        return stopped;
    }

    private void hasten(Duration grace, Timers timers) {
        if (state == State.ENDED) {
            return; // its connections are closed, and its timers may be
        }
        Timers.Timer current = graceTimer;
        if (current != null && System.nanoTime() + Delays.bounded(Delays.nanos(grace)) - deadline < 0) {
            current.cancel();
            startTimer(grace, timers);
            if (state == State.ENDED) {
                cancelTimer();
            }
        }
    }

    private void startTimer(Duration grace, Timers timers) {
        deadline = System.nanoTime() + Delays.bounded(Delays.nanos(grace));
        graceTimer = timers.schedule(
                () -> actions.cut(new IOException("the server is stopping, and the grace period is over")), grace);
    }

    private void cancelTimer() {
        Timers.Timer timer = graceTimer;
        if (timer != null) {
            timer.cancel();
        }
    }

    /**
     * Called when the last connection is closed and its handler notified, or could not be created. Thread-safe; may be
     * called more than once.
     */
    public void lastLeft() {
        if (state == State.SHUT) {
            end();
        }
    }

    private void end() {
        if (STATE.compareAndSet(this, State.SHUT, State.ENDED)) {
            cancelTimer();
            actions.release().thenRun(() -> stopped.complete(null));
        }
    }
}
