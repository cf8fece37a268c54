package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.io.AtomicField;
import io.millrace.io.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the body of one request to a backend is sent, if at all: when the head was sent; and if the client waits for 100 (RFC
 * 9110, 10.1.1), when the backend has sent 100, or after a second, since some backends never do. A body is read from the client once, so
 * a request that was given up must not start it any more: the body belongs to the next attempt.
 *
 * <pre>
 * from           event      to
 * HEAD_EXPECTED  HEAD_SENT  WAITING   the client waits for 100
 * HEAD_EXPECTED  PROCEED    HEAD_DUE  100 came before the notification that the head was sent
 * HEAD_EXPECTED  ANSWER     CANCELLED a final response instead of 100
 * HEAD_DUE       HEAD_SENT  STARTED   the initial state if the client does not wait
 * WAITING        PROCEED    STARTED   100, or a second has passed
 * WAITING        ANSWER     CANCELLED a final response instead of 100
 * others         CANCEL     CANCELLED the request was given up, or repeated; not STARTED, whose body cannot be sent twice
 * </pre>
 *
 * All other events are ignored (null). Thread-safe.
 */
final class BodyStart {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    /** How long a backend may take to send 100. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    enum State {
        HEAD_EXPECTED,
        HEAD_DUE,
        WAITING,
        STARTED,
        CANCELLED;

        /** The next state; null if the event is ignored. */
        static @Nullable State next(State from, Event event) {
            return switch (event) {
                case HEAD_SENT -> from == HEAD_DUE ? STARTED : from == HEAD_EXPECTED ? WAITING : null;
                case PROCEED -> from == WAITING ? STARTED : from == HEAD_EXPECTED ? HEAD_DUE : null;
                case ANSWER -> from == WAITING || from == HEAD_EXPECTED ? CANCELLED : null;
                case CANCEL -> from == STARTED || from == CANCELLED ? null : CANCELLED;
            };
        }
    }

    enum Event {
        HEAD_SENT,
        PROCEED,
        ANSWER,
        CANCEL
    }

    private final Timers timers;
    private final Executor workers;
    private final Consumer<ClientStream> start;
    private volatile State state;
    private volatile @Nullable ClientStream stream;
    private volatile Timers.@Nullable Timer timer;

    /**
     * Of one request.
     *
     * @param waits whether the client waits for 100
     * @param workers start the body when no 100 came in time: on bio that may block, and the timer thread must not
     * @param start sends the body
     */
    BodyStart(boolean waits, Timers timers, Executor workers, Consumer<ClientStream> start) {
        this.timers = timers;
        this.workers = workers;
        this.start = start;
        state = waits ? State.HEAD_EXPECTED : State.HEAD_DUE;
    }

    /** Whether any of the body was requested from the client: it cannot be sent again. */
    boolean isStarted() {
        return state == State.STARTED;
    }

    /** The head was sent. */
    void headSent(ClientStream to) {
        stream = to;
        State from = move(Event.HEAD_SENT);
        if (from == State.HEAD_DUE) {
            start.accept(to);
        } else if (from == State.HEAD_EXPECTED) {
            startTimer();
        }
    }

    /** The backend has sent 100, or none for a second. */
    void proceed() {
        State from = move(Event.PROCEED);
        ClientStream to = stream;
        if (from == State.WAITING && to != null) {
            stopTimer();
            start.accept(to);
        }
    }

    /** The backend has sent its final response. */
    void answered() {
        move(Event.ANSWER);
        stopTimer();
    }

    /**
     * Keeps the body from being sent to this backend.
     *
     * @return false if it was started
     */
    boolean cancel() {
        move(Event.CANCEL);
        stopTimer();
        return state == State.CANCELLED;
    }

    private void startTimer() {
        timer = timers.schedule(this::expire, PATIENCE);
        if (state != State.WAITING) {
            stopTimer(); // it changed before the timer was known
        }
    }

    private void stopTimer() {
        Timers.Timer running = timer;
        if (running != null) {
            running.cancel();
        }
    }

    /** Called on the timer thread. If no worker is available, the next attempt is a second later. */
    private void expire() {
        try {
            workers.execute(this::proceed);
        } catch (RejectedExecutionException | Error overloaded) {
            startTimer();
        }
    }

    /** Returns the previous state; null if the event was ignored. */
    private @Nullable State move(Event event) {
        while (true) {
            State from = state;
            State to = State.next(from, event);
            if (to == null || STATE.compareAndSet(this, from, to)) {
                return to == null ? null : from;
            }
        }
    }
}
