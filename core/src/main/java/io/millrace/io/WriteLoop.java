package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The loop in which one output is written: by one thread at a time, one write at a time, without recursion. Its {@link Owner} keeps
 * what is to be sent, under a lock of its own, and calls {@link #wake} after each change. The thread that finds nobody at work runs
 * the loop: it takes the {@linkplain Owner#written result} of the last write, and lets the owner {@linkplain Owner#step begin the
 * next one} or call completions, until there is nothing left to do. A thread that finds another one at work leaves its output to
 * that thread. A write that ends inside the call that began it is continued by the loop when the call returns; one that ends later
 * wakes the loop, on the thread that ended it.
 *
 * <pre>
 * from   event  to
 * IDLE   WAKE   BUSY   the caller runs the loop
 * BUSY   WAKE   AGAIN  a thread runs it: it looks again before it stops
 * AGAIN  WAKE   AGAIN
 * IDLE   NOTE   IDLE   as WAKE, for callers that must not run it
 * BUSY   NOTE   AGAIN
 * AGAIN  NOTE   AGAIN
 * BUSY   LOOK   BUSY   the running thread looks what there is to do
 * AGAIN  LOOK   BUSY
 * BUSY   REST   IDLE   nothing is left to do, except possibly to wait for the end of a write
 * AGAIN  REST   BUSY   there is: the loop goes on
 * BUSY   LEAVE  IDLE   another thread is asked to go on, and wakes the loop
 * AGAIN  LEAVE  IDLE
 * IDLE   other  error  only the running thread looks, rests or leaves
 * </pre>
 *
 * <p><b>Threads.</b> {@link #wake}, {@link #note} and {@link #done} are thread-safe. The rest belongs to the thread that runs the
 * loop. No lock is held when the owner is called, which happens on that thread only. All that the owner did before one of its
 * methods returned is visible to the next one, on whatever thread that runs.
 *
 * <p><b>Failures.</b> Whatever the owner throws is {@linkplain Owner#failed reported} to it, and the loop goes on, so that waiting
 * completions are called; if it throws again at once, the loop is left, until somebody wakes it.
 */
public final class WriteLoop implements Completion {

    /** After this many writes in a row that ended at once, another thread continues: this one may serve other connections. */
    static final int MAX_IN_A_ROW = 16;

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);
    private static final VarHandle OUTCOME = AtomicField.of(MethodHandles.lookup(), "outcome", Object.class);

    /** The outcome of a write that has succeeded. */
    private static final Object SENT = new Object();

    /** What is written. */
    public interface Owner {

        /**
         * Does the next thing, if there is one: {@linkplain #begin begins} a write, unless one {@linkplain #isWriting is in
         * progress}, or calls completions.
         *
         * @return whether there may be more to do at once. What is queued after this call has looked wakes the loop again, as
         *     does the end of a write that it has begun.
         */
        boolean step() throws Exception;

        /**
         * A write has ended. Called once for each, before the next step. After a failure the owner closes the connection, if nobody
         * has.
         */
        void written(@Nullable Throwable failure);

        /** Something threw, which is a bug or a shortage: closes the connection and logs. Thread-safe. */
        void failed(Throwable thrown);

        /**
         * Asks another thread to {@linkplain #wake wake} the loop soon, behind what that thread has to do already. Called after
         * {@link #MAX_IN_A_ROW} writes in a row, while no thread runs the loop.
         *
         * @return false if there is none: the loop goes on
         */
        boolean handOver();
    }

    /** Something that ends later, possibly inside the call that starts it, such as a write. */
    public interface Operation {

        /** Starts it. Whatever is thrown, it has not started. */
        void start(Completion end) throws Exception;
    }

    /** Whether a thread runs the loop. */
    enum State {
        IDLE,
        BUSY,
        AGAIN
    }

    enum Event {
        WAKE,
        NOTE,
        LOOK,
        REST,
        LEAVE
    }

    private final Owner owner;
    private volatile State state = State.IDLE;

    /**
     * How the write in progress ended: {@link #SENT} or a throwable. Set by {@link #done}, taken by the running thread. Not
     * volatile: most writes end on that thread, and another one sets it before it changes the state.
     */
    private @Nullable Object outcome;

    /** The running thread. Set and reset by itself, so that it knows itself without a lock. */
    private @Nullable Thread runner;

    // confined to the running thread
    private boolean writing;
    private @Nullable Runnable deferred;

    /** Idle. */
    public WriteLoop(Owner owner) {
        this.owner = owner;
    }

    static State next(State from, Event event) {
        if (from == State.IDLE && event.compareTo(Event.NOTE) > 0) {
            throw new IllegalStateException(event + " while no thread runs the loop");
        }
        return switch (event) {
            case WAKE -> from == State.IDLE ? State.BUSY : State.AGAIN;
            case NOTE -> from == State.IDLE ? State.IDLE : State.AGAIN;
            case LOOK -> State.BUSY;
            case REST -> from == State.AGAIN ? State.BUSY : State.IDLE;
            case LEAVE -> State.IDLE;
        };
    }

    /** Returns the previous state. */
    private State fire(Event event) {
        while (true) {
            State from = state;
            State to = next(from, event);
            if (from == to || STATE.compareAndSet(this, from, to)) {
                return from;
            }
        }
    }

    /** There may be something to do: does it, unless another thread runs the loop, which then looks again. */
    public void wake() {
        if (fire(Event.WAKE) == State.IDLE) {
            run();
        }
    }

    /** If a thread runs the loop, that thread looks again. False, without effect, if there is none. */
    public boolean note() {
        return fire(Event.NOTE) != State.IDLE;
    }

    /** The write in progress has ended. */
    @Override
    public void done(@Nullable Throwable failure) {
        Object ended = failure == null ? SENT : failure;
        if (isRunner()) { // inside the call that began it, or another one: the loop looks when that returns
            outcome = ended;
        } else {
            OUTCOME.setVolatile(this, ended);
            wake();
        }
    }

    /** Runs an action: immediately, or, if this thread runs the loop, when that has ended. The action may wait for output. */
    public void afterwards(Runnable action) {
        if (isRunner()) {
            deferred = action;
        } else {
            action.run();
        }
    }

    /** Whether this thread runs the loop: it is in the owner, possibly in a completion. */
    public boolean isRunner() {
        return Thread.currentThread().equals(runner);
    }

    // ---- for the owner's step

    /** Whether a write is in progress. */
    public boolean isWriting() {
        return writing;
    }

    /** Begins a write. True if it has ended already; {@link Owner#written} is called after the step. */
    public boolean begin(Operation operation) {
        writing = true;
        try {
            operation.start(this);
        } catch (Throwable refused) {
            outcome = refused;
        }
        return outcome != null;
    }

    /** Calls a completion. If it throws, that is reported to the owner, as if the step had thrown, and this method returns. */
    public void complete(Completion completion, @Nullable Throwable failure) {
        try {
            completion.done(failure);
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    // ---- the loop

    private void run() {
        runner = Thread.currentThread();
        int writes = 0;
        int failures = 0;
        boolean over = false;
        while (!over) {
            boolean more = true;
            try {
                more = turn();
                failures = 0;
            } catch (Throwable thrown) {
                report(thrown);
                failures++;
            }
            if (failures > 1) {
                over = stop(Event.LEAVE);
            } else if (outcome != null) {
                writes++;
                over = writes % MAX_IN_A_ROW == 0 && isHandedOver();
            } else if (!more) {
                over = stop(Event.REST);
            }
        }
    }

    /** Takes the result of the last write, if it has ended, and makes a step. */
    private boolean turn() throws Exception {
        if (state == State.AGAIN) {
            fire(Event.LOOK);
        }
        Object ended = outcome;
        if (ended != null) {
            outcome = null;
            writing = false;
            owner.written(ended instanceof Throwable failure ? failure : null);
        }
        return owner.step();
    }

    /** Stops, and then runs what was deferred, which may throw. False if this thread has to look again. */
    private boolean stop(Event event) {
        Runnable action = deferred;
        deferred = null;
        runner = null;
        if (fire(event) == State.AGAIN && event == Event.REST) {
            runner = Thread.currentThread();
            deferred = action;
            return false;
        }
        if (action != null) {
            action.run();
        }
        return true;
    }

    /** Lets another thread go on. False if there is none. */
    private boolean isHandedOver() {
        Runnable action = deferred;
        deferred = null;
        runner = null;
        fire(Event.LEAVE);
        boolean taken = false;
        try {
            taken = owner.handOver();
        } catch (Throwable refused) {
            report(refused);
        }
        if (!taken && fire(Event.WAKE) == State.IDLE) {
            runner = Thread.currentThread();
            deferred = action;
            return false;
        }
        if (action != null) {
            action.run();
        }
        return true;
    }

    private void report(Throwable thrown) {
        try {
            owner.failed(thrown);
        } catch (Throwable again) {
            // out of memory, most likely: the connection is closed all the same
        }
    }
}
