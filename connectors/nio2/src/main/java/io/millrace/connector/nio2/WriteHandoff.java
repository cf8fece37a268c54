package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which thread continues after an operation of a write was started: the starting thread, if it completed at once, or the
 * thread on which it completes later.
 *
 * <pre>
 * from      event     to        continues
 * NONE      START     STARTING  the starter calls the channel
 * STARTING  COMPLETE  DONE      the starter, when the call returns
 * STARTING  RETURN    PENDING   no thread yet
 * DONE      RETURN    NONE      the starter
 * PENDING   COMPLETE  NONE      the completing thread
 * </pre>
 *
 * Everything else is a programming error.
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
        throw new IllegalStateException("the write is " + from + "; " + event + " is not possible now");
    }

    /** Makes the transition. True if the caller continues: the operation has completed. */
    boolean fire(Event event) {
        while (true) {
            State from = state;
            State to = next(from, event);
            if (STATE.compareAndSet(this, from, to)) {
                return to == State.NONE;
            }
        }
    }

    /** Whether the operation has completed before the call that starts it has returned. */
    boolean isDone() {
        return state == State.DONE;
    }

    /** Whether an operation is pending, because the peer accepts no data. */
    boolean isPending() {
        return state == State.PENDING;
    }
}
