package io.millrace.connector.bio;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which thread owns a connection. A thread of the transport runs the handler of a busy connection; then the thread leaves,
 * and the {@link SelectorLoop} watches the peer, so that idle connections hold no thread.
 *
 * <pre>
 * from     event   to       meaning
 * RUNNING  AWAIT   WANTED   the handler waits for input; its call has not returned yet
 * RUNNING  RETURN  AWAY     the handler returned without waiting: another thread owns the connection
 * AWAY     AWAIT   WAITING  that owner waits for input; no thread of the transport has the connection
 * WANTED   FOUND   RUNNING  there is input already, and the thread continues
 * WANTED   RETURN  WAITING  there is none: the thread leaves, or waits here if it is inside the handler
 * WAITING  TAKE    RUNNING  input, the idle timeout, a drain or a close: the caller provides a thread
 * other    TAKE    -        no wait to take
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

    /** The next state; null if the event has no effect. */
    static @Nullable State next(State from, Event event) {
        State to = switch (event) {
            case AWAIT -> from == State.RUNNING ? State.WANTED : from == State.AWAY ? State.WAITING : null;
            case RETURN -> from == State.RUNNING ? State.AWAY : from == State.WANTED ? State.WAITING : null;
            case FOUND -> from == State.WANTED ? State.RUNNING : null;
            case TAKE -> from == State.WAITING ? State.RUNNING : null;
        };
        if (to == null && event != Event.TAKE) {
            throw new IllegalStateException("the connection is " + from + "; " + event + " is not possible now"
                    + (event == Event.AWAIT ? ": awaitReadable was called twice" : ""));
        }
        return to;
    }

    State state() {
        return state;
    }

    /** Makes the transition from this state; false if the state has changed meanwhile. */
    boolean move(State from, Event event) {
        State to = next(from, event);
        return to != null && STATE.compareAndSet(this, from, to);
    }

    /** Ends the wait for the peer. False if there is no wait. */
    boolean take() {
        return state == State.WAITING && move(State.WAITING, Event.TAKE);
    }
}
