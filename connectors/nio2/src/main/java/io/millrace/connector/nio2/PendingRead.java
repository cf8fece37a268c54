package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The one read that a connection may have under way, and whether anybody waits for it. A read can't be called back: once
 * it is pending it stays so until something arrives, also when its owner no longer waits.
 *
 * <pre>
 * from      event      to        meaning
 * NONE      START      STARTING  the owner calls the channel
 * STARTING  COMPLETE   DONE      ended at once, mostly inside that call: the owner goes on with it
 * STARTING  RETURN     PENDING   nothing there; the poller watches
 * DONE      RETURN     -         see above
 * PENDING   COMPLETE   DONE      nobody waits: the owner will find it when it reads
 * PENDING   AWAIT      WANTED    the owner waits
 * DONE      AWAIT      -         too late to wait: whoever awaits arranges that the handler is told
 * WANTED    COMPLETE   DONE      whoever completes tells the handler
 * WANTED    TAKE_BACK  PENDING   ends the wait for another reason (time-out, drain); the read goes on
 * DONE      CONSUME    NONE      the owner has the bytes
 * NONE      CLOSE      CLOSED    the connection is closed, with no read under way
 * DONE      CLOSE      CLOSED    the same; whoever closes gives the bytes back
 * </pre>
 *
 * TAKE_BACK changes nothing in all other states, and nothing changes in CLOSED. The rest is a defect of ours.
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

    /** Null: the event changes nothing. */
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
        return new IllegalStateException("a read: " + from + ", " + event);
    }

    State state() {
        return state;
    }

    /** Makes the change. Returns the state before, which says what the caller has to do. */
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
