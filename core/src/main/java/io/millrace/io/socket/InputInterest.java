package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The read interest of a connection at its poller, and whether a reader is waiting. Read interest stays armed while a
 * handler runs, because switching it costs two system calls and a wake-up of the poller; it is suspended only when input
 * arrives while no reader is waiting, which a level-triggered poller would otherwise report continuously.
 *
 * <pre>
 * from       event  to         action         meaning
 * SUSPENDED  AWAIT  WANTED     resumes        the owner waits; input may be available already
 * ARMED      AWAIT  WANTED     none           the owner waits; the usual case, one compare-and-set
 * WANTED     READY  ARMED                     the caller calls the handler
 * WANTED     TAKE   ARMED                     the caller calls the handler because of a timeout or a drain
 * ARMED      READY  SUSPENDED  suspends       no reader is waiting: the owner will find the input when it reads
 * ARMED      TAKE   -                         no reader is waiting
 * SUSPENDED  READY  -                         reported before the suspension took effect
 * SUSPENDED  TAKE   -                         no reader is waiting
 * WANTED     AWAIT  error                     a second owner, or a second call of the same one
 * </pre>
 *
 * AWAIT comes from the owner, on any thread; READY only from the connection's I/O thread; TAKE from any thread. Of READY
 * and TAKE in WANTED one wins, and the other finds ARMED. AWAIT races with READY in ARMED: the I/O thread suspends first and
 * changes the state afterwards. If the owner's AWAIT came in between, the change fails, and the I/O thread resumes and
 * continues as if AWAIT had come first; if a TAKE followed that AWAIT, the state is SUSPENDED, and the next AWAIT resumes.
 */
public final class InputInterest {

    /** Switches read interest at the poller. Thread-safe; has no effect if it is already in that position. */
    public interface Switch {
        /** Stops the notification of input; one more may follow. */
        void suspendReads();

        /** Starts the notification of input, including input that is already available. */
        void resumeReads();
    }

    enum State {
        SUSPENDED,
        ARMED,
        WANTED
    }

    enum Event {
        AWAIT,
        READY,
        TAKE
    }

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private volatile State state = State.SUSPENDED;

    /** Suspended read interest. */
    public InputInterest() {}

    /** The next state; null if the event is ignored. */
    static @Nullable State next(State from, Event event) {
        return switch (event) {
            case AWAIT -> {
                if (from == State.WANTED) {
                    throw new IllegalStateException(from + ", " + event
                            + ": awaitReadable was called twice without a call of the handler in between");
                }
                yield State.WANTED;
            }
            case READY ->
                switch (from) {
                    case WANTED -> State.ARMED;
                    case ARMED -> State.SUSPENDED;
                    case SUSPENDED -> null;
                };
            case TAKE -> from == State.WANTED ? State.ARMED : null;
        };
    }

    /** Called when the owner starts to wait. */
    public void await(Switch poller) {
        while (true) {
            State from = state;
            State to = next(from, Event.AWAIT);
            if (move(from, to)) {
                if (from == State.SUSPENDED) {
                    poller.resumeReads();
                }
                return;
            }
        }
    }

    /** Called when the poller reports input. True if the wait is over and the handler must be called. */
    public boolean ready(Switch poller) {
        while (true) {
            State from = state;
            State to = next(from, Event.READY);
            if (to == null) {
                return false;
            }
            if (to == State.SUSPENDED) {
                poller.suspendReads();
            }
            if (move(from, to)) {
                return from == State.WANTED;
            }
            poller.resumeReads();
        }
    }

    /** Ends a wait for a reason other than input. False if no reader is waiting. */
    public boolean take() {
        State from = state;
        State to = next(from, Event.TAKE);
        return to != null && move(from, to);
    }

    /** Whether the poller does not report input, so that only a read can find it. */
    public boolean isSuspended() {
        return state == State.SUSPENDED;
    }

    /** Whether the owner waits. */
    public boolean isWanted() {
        return state == State.WANTED;
    }

    private boolean move(State from, @Nullable State to) {
        return STATE.compareAndSet(this, from, to);
    }
}
