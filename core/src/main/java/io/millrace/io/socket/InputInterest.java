package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whether the poller watches a connection's input, and whether a reader waits for it. The interest stays armed while a
 * handler works, because switching it costs two system calls and a wake-up of the poller; it is suspended only when
 * something arrives without a reader waiting, which a level-triggered poller would otherwise report for ever.
 *
 * <pre>
 * from       event  to         does                       meaning
 * SUSPENDED  AWAIT  WANTED     resumes                    the owner waits; something may be there already
 * ARMED      AWAIT  WANTED     nothing                    the owner waits; the usual case, one compare-and-set
 * WANTED     READY  ARMED      the caller tells the handler
 * WANTED     TAKE   ARMED      the caller tells the handler of a time-out or a drain
 * ARMED      READY  SUSPENDED  suspends                   unwanted: the owner will find it when it reads
 * ARMED      TAKE   -                                     no reader is waiting: nothing to take
 * SUSPENDED  READY  -                                     reported before the suspension took effect
 * SUSPENDED  TAKE   -
 * WANTED     AWAIT  error                                 two owners, or one that waits twice
 * </pre>
 *
 * AWAIT comes from the owner, on any thread; READY and TAKE from the connection's I/O thread alone. The only race is AWAIT
 * against an unwanted READY. The I/O thread suspends first and changes the state afterwards: if the owner came in between,
 * the change fails, and the I/O thread resumes and goes on as if the owner had come first.
 */
public final class InputInterest {

    /** The switch at the poller; may be thrown by any thread, does nothing when it is already there. */
    public interface Switch {
        /** Input is not reported any more, but perhaps once more. */
        void suspendReads();

        /** Input is reported, what is there already included. */
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

    /** Suspended. */
    public InputInterest() {}

    /** Null: the event changes nothing. */
    static @Nullable State next(State from, Event event) {
        return switch (event) {
            case AWAIT -> {
                if (from == State.WANTED) {
                    throw new IllegalStateException("awaitReadable called twice: " + from + ", " + event);
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

    /** The owner waits from now on. */
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

    /** The poller reports input. True if the wait is over and the handler must be called. */
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

    /** Ends a wait for another reason than input. False if no reader is waiting. */
    public boolean take() {
        State from = state;
        State to = next(from, Event.TAKE);
        return to != null && move(from, to);
    }

    /** True if the poller will not report input, so that only a read can tell. */
    public boolean isSuspended() {
        return state == State.SUSPENDED;
    }

    /** True if the owner waits. */
    public boolean isWanted() {
        return state == State.WANTED;
    }

    private boolean move(State from, @Nullable State to) {
        return STATE.compareAndSet(this, from, to);
    }
}
