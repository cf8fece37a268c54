package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Timers;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How a transport stops ({@link io.millrace.io.Transport#stop}): one step after the other, and the end when the last
 * connection is gone and none can come any more.
 *
 * <pre>
 * from      event      to        does
 * OPEN      stop       STOPPING  announces, closes the acceptor, drains, sets the timer of the grace
 * STOPPING  last left  -         one more may be accepted yet
 * STOPPING  all done   SHUT      if no connection is left: as below
 * SHUT      last left  ENDED     gives the threads back
 * any       stop       -         once is enough
 * </pre>
 */
public final class GracefulStop {

    /** What a transport has to do for it. Each is called once, in this order, the cut and the release by other threads. */
    public interface Steps {
        /** Tells every connection's handler, which only takes note. While connections are still accepted. */
        void announce();

        /** Closes the listening socket, if there is one; returns when no connection is accepted any more. */
        void closeAcceptor();

        /** Lets every connection's handler look at its connection: an idle one closes. */
        void drain();

        /** The grace is over: closes all that are left. */
        void cut(IOException why);

        /** Connections open now. */
        int connections();

        /** Gives back the threads; done when they have ended. */
        CompletionStage<Void> release();
    }

    private enum State {
        OPEN,
        STOPPING,
        SHUT,
        ENDED
    }

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private final Steps steps;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private volatile State state = State.OPEN;
    private volatile Timers.@Nullable Timer graceTimer;

    /** Of the transport that takes these steps. */
    public GracefulStop(Steps steps) {
        this.steps = steps;
    }

    /** Has {@link #stop} been called? Any thread. */
    public boolean isStopping() {
        return state != State.OPEN;
    }

    /**
     * Stops. Announced before the socket closes: a client that is refused may rely on it that nothing new is started.
     * Those that are accepted meanwhile must be notified when they get their handler ({@link #isStopping}).
     *
     * @return done when no connection and no thread is left
     */
    public CompletionStage<Void> stop(Duration grace, Timers timers) {
        if (!STATE.compareAndSet(this, State.OPEN, State.STOPPING)) {
            return stopped;
        }
        try {
            steps.announce();
            steps.closeAcceptor();
            steps.drain();
        } finally { // whatever fails, memory for a task say: the grace has an end
            graceTimer = timers.schedule(
                    () -> steps.cut(new IOException("the server is stopping, and the grace period is over")), grace);
            state = State.SHUT;
            if (steps.connections() == 0) {
                end();
            }
        }
        return stopped;
    }

    /** The last connection is closed and its handler knows, or it never came to be. Any thread, more than once. */
    public void lastLeft() {
        if (state == State.SHUT) {
            end();
        }
    }

    private void end() {
        if (STATE.compareAndSet(this, State.SHUT, State.ENDED)) {
            Timers.Timer timer = graceTimer;
            if (timer != null) {
                timer.cancel();
            }
            steps.release().thenRun(() -> stopped.complete(null));
        }
    }
}
