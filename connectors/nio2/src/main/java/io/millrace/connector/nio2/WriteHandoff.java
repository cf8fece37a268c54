package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who goes on after a write was given to the channel: the thread that gave it, if it ended at once, or the one on which it
 * ends later.
 *
 * <pre>
 * from      event     to        goes on
 * NONE      START     STARTING  the starter calls the channel
 * STARTING  COMPLETE  DONE      the starter, when the call returns
 * STARTING  RETURN    PENDING   nobody yet
 * DONE      RETURN    NONE      the starter
 * PENDING   COMPLETE  NONE      whoever completes
 * </pre>
 *
 * All else is a defect of ours.
 */
final class WriteHandoff {

    enum State {
        NONE,
        STARTING,
        PENDING,
        DONE
    }

    enum Event {
        START,
        RETURN,
        COMPLETE
    }

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private volatile State state = State.NONE;

    static State next(State from, Event event) {
        if (from == State.NONE && event == Event.START) {
            return State.STARTING;
        }
        if (from == State.STARTING && event != Event.START) {
            return event == Event.COMPLETE ? State.DONE : State.PENDING;
        }
        if (from == State.DONE && event == Event.RETURN || from == State.PENDING && event == Event.COMPLETE) {
            return State.NONE;
        }
        throw new IllegalStateException("a write: " + from + ", " + event);
    }

    /** Makes the change. True if the caller goes on: the write, or this part of it, has ended. */
    boolean fire(Event event) {
        while (true) {
            State from = state;
            State to = next(from, event);
            if (STATE.compareAndSet(this, from, to)) {
                return to == State.NONE;
            }
        }
    }

    /** True while the peer takes nothing. */
    boolean isPending() {
        return state == State.PENDING;
    }
}
