package io.millrace.connector.bio;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which thread owns a connection. A thread of the transport runs the connection's handler as long as there is something to do;
 * then the thread ends, and the {@link SelectorLoop} watches the peer, so that idle connections hold no thread.
 *
 * <pre>
 * from     event   to       meaning
 * RUNNING  AWAIT   WANTED   the handler waits for input; its thread is still on its way back here
 * RUNNING  RETURN  AWAY     the handler came back without waiting: somebody else has the connection
 * AWAY     AWAIT   WAITING  that somebody waits for input; no thread is here
 * WANTED   FOUND   RUNNING  there was input already, and the thread goes straight on
 * WANTED   RETURN  WAITING  there was none: the thread goes, or waits here if it stands in the midst of the handler
 * WAITING  TAKE    RUNNING  input, the idle time, a drain, a close: the one who takes it provides a thread
 * any      TAKE    -        otherwise nobody waits, and there is nothing to take
 * </pre>
 *
 * Everything else is a programming error.
 */
final class ThreadOwnership {

    enum State {
        RUNNING,
        WANTED,
        WAITING,
        AWAY
    }

    enum Event {
        AWAIT,
        RETURN,
        FOUND,
        TAKE
    }

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private volatile State state = State.RUNNING;

    /** Null: the event changes nothing. */
    static @Nullable State next(State from, Event event) {
        State to = switch (event) {
            case AWAIT -> from == State.RUNNING ? State.WANTED : from == State.AWAY ? State.WAITING : null;
            case RETURN -> from == State.RUNNING ? State.AWAY : from == State.WANTED ? State.WAITING : null;
            case FOUND -> from == State.WANTED ? State.RUNNING : null;
            case TAKE -> from == State.WAITING ? State.RUNNING : null;
        };
        if (to == null && event != Event.TAKE) {
            throw new IllegalStateException(event + " while the connection's turn is " + from
                    + (event == Event.AWAIT ? ": awaitReadable was called twice" : ""));
        }
        return to;
    }

    State state() {
        return state;
    }

    /** Makes the transition if it comes from this state; false if the state is another by now. */
    boolean move(State from, Event event) {
        State to = next(from, event);
        return to != null && STATE.compareAndSet(this, from, to);
    }

    /** Ends the wait for the peer. False if there is none. */
    boolean take() {
        return state == State.WAITING && move(State.WAITING, Event.TAKE);
    }
}
