package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state of the one read that a connection may have pending, and whether its owner waits for it. A read cannot be
 * cancelled: it stays pending until input arrives, even if the owner no longer waits.
 *
 * <pre>
 * from      event      to        meaning
 * NONE      START      STARTING  the owner calls the channel
 * STARTING  COMPLETE   DONE      completed at once, mostly inside that call: the owner continues with it
 * STARTING  RETURN     PENDING   no input yet; the poller watches
 * DONE      RETURN     -         see above
 * PENDING   COMPLETE   DONE      the owner is not waiting: it finds the input when it reads
 * PENDING   AWAIT      WANTED    the owner waits
 * DONE      AWAIT      -         input is there: the caller arranges a call of the handler
 * WANTED    COMPLETE   DONE      the completing thread notifies the handler
 * WANTED    TAKE_BACK  PENDING   the wait ends for another reason (timeout, drain); the read stays pending
 * DONE      CONSUME    NONE      the owner has the bytes
 * NONE      CLOSE      CLOSED    the connection is closed, with no read pending
 * DONE      CLOSE      CLOSED    the same; the caller releases the bytes
 * </pre>
 *
 * TAKE_BACK has no effect in all other states, and no event has one in CLOSED. Everything else is a programming error.
 */
final class PendingRead {

    enum State {
        NONE,
        STARTING,
        PENDING,
        WANTED,
        DONE,
        CLOSED
    }

    enum Event {
        START,
        RETURN,
        COMPLETE,
        AWAIT,
        TAKE_BACK,
        CONSUME,
        CLOSE
    }

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private volatile State state = State.NONE;

    /** The next state; null if the event has no effect. */
    static @Nullable State next(State from, Event event) {
        return switch (from) {
            case NONE ->
                switch (event) {
                    case START -> State.STARTING;
                    case CLOSE -> State.CLOSED;
                    case TAKE_BACK -> null;
                    default -> throw illegal(from, event);
                };
            case STARTING ->
                switch (event) {
                    case COMPLETE -> State.DONE;
                    case RETURN -> State.PENDING;
                    case TAKE_BACK -> null;
                    default -> throw illegal(from, event);
                };
            case PENDING ->
                switch (event) {
                    case COMPLETE -> State.DONE;
                    case AWAIT -> State.WANTED;
                    case TAKE_BACK -> null;
                    default -> throw illegal(from, event);
                };
            case WANTED ->
                switch (event) {
                    case COMPLETE -> State.DONE;
                    case TAKE_BACK -> State.PENDING;
                    default -> throw illegal(from, event);
                };
            case DONE ->
                switch (event) {
                    case CONSUME -> State.NONE;
                    case CLOSE -> State.CLOSED;
                    case RETURN, AWAIT, TAKE_BACK -> null;
                    default -> throw illegal(from, event);
                };
            case CLOSED -> null;
        };
    }

    private static IllegalStateException illegal(State from, Event event) {
        return new IllegalStateException("the read is " + from + "; " + event + " is not possible now");
    }

    State state() {
        return state;
    }

    /** Makes the transition. Returns the previous state, on which the caller's next action depends. */
    State fire(Event event) {
        while (true) {
            State from = state;
            State to = next(from, event);
            if (to == null || STATE.compareAndSet(this, from, to)) {
                return from;
            }
        }
    }
}
