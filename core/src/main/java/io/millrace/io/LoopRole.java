package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Who polls for an event loop. Normally the loop's own thread does. While that thread runs code of an application, its role is
 * lent: if the code turns out not to be short, a worker polls in its place until the thread comes back.
 *
 * <pre>
 * from     event   to       meaning
 * HOME     LEND    LENT     the loop's thread begins to run an application's code; nobody polls
 * LENT     RETURN  HOME     the code was short
 * LENT     SEEK    SOUGHT   it is not, or is about to wait: a worker is asked to poll
 * SOUGHT   RETURN  HOME     it has ended before the worker came
 * SOUGHT   TAKE    TAKEN    the worker polls
 * TAKEN    RETURN  CLAIMED  the loop's thread is back in its loop, and waits for the worker to stop
 * CLAIMED  YIELD   HOME     the worker has stopped
 * TAKEN    YIELD   SOUGHT   the worker cannot poll: another one is to
 * HOME     END     ENDED    the thread that polls has ended the loop
 * TAKEN    END     ENDED
 * CLAIMED  END     ENDED
 * any      other   -        ignored: another thread was faster
 * </pre>
 *
 * So one thread polls in HOME, TAKEN and CLAIMED, and none in the other states. A thread whose code ends in TAKEN goes on as a worker
 * until it is back in its loop, and only then returns: it may still have the rest of a connection's requests to serve.
 *
 * <p><b>Threads.</b> LEND and RETURN come from the loop's thread, TAKE and YIELD from a worker, SEEK from any thread, END from the
 * thread that polls. What one thread that polls has written is visible to the next one.
 */
public final class LoopRole {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);
    private static final VarHandle RESERVED = AtomicField.of(MethodHandles.lookup(), "reserved", boolean.class);

    /** A thread that waits for its role asks again after this time, should a wake-up have failed. */
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** After a thread could not be started. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** With more sockets ready than these, short work is handed to other processors, if they are idle. */
    private static final int FEW = 4;

    /** An event loop whose role can be lent; its string is the name of its own thread. */
    public interface Loop {

        /** Polls on the current thread until {@link LoopRole#isToStop}, {@link LoopRole#isLost}, or the end of the loop. */
        void poll();

        /** Ends the wait of the thread that polls, now or if it is about to wait. Thread-safe. */
        void wakeUp();

        /** Starts a new thread that calls {@link LoopRole#run}. May fail with anything. */
        void startThread();

        /** Logs a failure that does not end the loop. Throws nothing. */
        void failed(Throwable failure);
    }

    /** A thread that may poll for a loop. */
    public interface Holder {

        /** Whether it polls now; asked by this thread only. */
        boolean isPolling();

        /** The role of the loop whose own thread it is; null if it is none's. */
        @Nullable
        LoopRole role();
    }

    enum State {
        HOME,
        LENT,
        SOUGHT,
        TAKEN,
        CLAIMED,
        ENDED
    }

    enum Event {
        LEND,
        RETURN,
        SEEK,
        TAKE,
        YIELD,
        END
    }

    private final Loop loop;
    private final IdleLoops group;
    private volatile State state = State.HOME;
    private volatile @Nullable Thread loopThread;

    /** What the role was lent to last; published by the state. Changed by the loop's thread. */
    private @Nullable Object borrower;

    /** Whether a worker is kept free for this loan; reset by whoever {@linkplain #isReservationOver ends} that. */
    private volatile boolean reserved;

    /** The number of loans. Written by the loop's thread. */
    private volatile int loans;

    /** The last loan during which the code was seen waiting. */
    private volatile int waited;

    /** {@link #isCrowded}. Confined to the thread that polls. */
    private boolean crowded;

    /** When a loan was last asked for, whether or not it was granted. Confined to the loop's thread. */
    private long asked = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);

    /** Short tasks run here, at least now and then: only then somebody wants to know how busy the loops are. */
    private volatile boolean used;

    /** A new thread is to take the place of the loop's. */
    private volatile boolean renewalDue;

    /**
     * The role of a loop whose own thread has not begun.
     *
     * @param group the loops among which connections are distributed
     */
    public LoopRole(Loop loop, IdleLoops group) {
        this.loop = loop;
        this.group = group;
    }

    /** The next state; null if the event is ignored. */
    static @Nullable State next(State from, Event event) {
        return switch (event) {
            case LEND -> from == State.HOME ? State.LENT : null;
            case RETURN -> isVacant(from) ? State.HOME : from == State.TAKEN ? State.CLAIMED : null;
            case SEEK -> from == State.LENT ? State.SOUGHT : null;
            case TAKE -> from == State.SOUGHT ? State.TAKEN : null;
            case YIELD -> from == State.CLAIMED ? State.HOME : from == State.TAKEN ? State.SOUGHT : null;
            case END -> isVacant(from) || from == State.ENDED ? null : State.ENDED;
        };
    }

    /** Whether nobody polls, and the loop has not ended. */
    private static boolean isVacant(State state) {
        return state == State.LENT || state == State.SOUGHT;
    }

    /** True if the event was not ignored. */
    private boolean fire(Event event) {
        while (true) {
            State from = state;
            if (next(from, event) == null) {
                return false;
            }
            if (fire(from, event)) {
                return true;
            }
        }
    }

    /** True if the state was this one, and the event is not ignored in it. */
    private boolean fire(State from, Event event) {
        State to = next(from, event);
        return to != null && STATE.compareAndSet(this, from, to);
    }

    /** The role of the loop whose own thread the current one is; null if it is none's. */
    public static @Nullable LoopRole ofCurrentThread() {
        return Thread.currentThread() instanceof Holder holder ? holder.role() : null;
    }

    /** Whether the current thread polls for many connections, for whatever loop. */
    public static boolean isPollingHere() {
        return Thread.currentThread() instanceof Holder holder && holder.isPolling();
    }

    // ---- for the loop's own thread

    /** What the loop's own thread does: polls, and waits while another one does, until the loop ends or a new thread goes on. */
    public void run() {
        setLoopThread();
        do {
            loop.poll();
        } while (isLost() && claim());
    }

    /** Called when the loop's thread begins, and when another one takes its place. */
    public void setLoopThread() {
        loopThread = Thread.currentThread();
    }

    /**
     * Lends the role while the current thread runs an application's code; it must call {@link #giveBack} afterwards.
     *
     * @param to recognizes the loan by {@link #isLentTo}
     * @return false if the current thread does not poll, or is not the loop's own
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by this thread only
    public boolean lend(Object to) {
        if (!isHeldHere()) {
            return false;
        }
        borrower = to;
        reserved = true;
        loans = loans + 1;
        return fire(Event.LEND);
    }

    /** The application's code has ended. False if a worker polls meanwhile: the current thread is then an ordinary worker. */
    public boolean giveBack() {
        for (State now = state; isVacant(now); now = state) {
            if (fire(now, Event.RETURN)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the current thread is the loop's own and does not poll any more: it must not touch the loop. */
    public boolean isLost() {
        return state != State.HOME && isLoopThread();
    }

    /** Whether the current thread is the loop's own and polls. */
    public boolean isHeldHere() {
        return state == State.HOME && isLoopThread();
    }

    private boolean isLoopThread() {
        return Thread.currentThread().equals(loopThread);
    }

    /** Waits until the current thread, the loop's own, polls again. False if the loop has ended. */
    public boolean claim() {
        fire(Event.RETURN);
        while (state == State.CLAIMED) {
            try {
                loop.wakeUp();
            } catch (Throwable shortage) {
                // the worker looks at its next turn, or is woken again
            }
            if (state == State.CLAIMED) {
                LockSupport.parkNanos(this, ASK_AGAIN_NANOS);
                Thread.interrupted(); // or it would not park again
            }
        }
        return state == State.HOME;
    }

    /** The time since this was last called, in nanoseconds. */
    public long sinceLast(long now) {
        if (!used) {
            used = true;
        }
        long since = now - asked;
        asked = now;
        return since;
    }

    // ---- for the thread that polls

    /**
     * Whether the current thread polls no more: the loop's own thread was back and has its role again, or a new thread has taken the
     * place of the current one. Called between two turns.
     */
    public boolean isToStop() {
        return yieldToLoopThread() || renewalDue && isLoopThread() && isRenewed();
    }

    /** Whether {@link #isToStop} has something to do, so that the thread that polls must not wait for sockets. */
    public boolean isChangeDue() {
        return state == State.CLAIMED || renewalDue && isLoopThread();
    }

    /** Returns the role to the loop's own thread if that waits for it. True if so: the current thread polls no more. */
    private boolean yieldToLoopThread() {
        if (state != State.CLAIMED || !fire(Event.YIELD)) {
            return false;
        }
        LockSupport.unpark(loopThread);
        return true;
    }

    /** True if a new thread goes on in place of the current one, the loop's own; false if none can be started. */
    private boolean isRenewed() {
        renewalDue = false; // first: then the new thread has the loop
        try {
            loop.startThread();
            return true;
        } catch (Throwable shortage) {
            renewalDue = true;
            loop.failed(shortage);
            LockSupport.parkNanos(this, PAUSE_NANOS);
            return false;
        }
    }

    /** Called before the current thread waits for sockets. The result is for {@link #endWait}. */
    public boolean beginWait() {
        boolean counted = used;
        if (counted) {
            group.enter();
        }
        return counted;
    }

    /** Called after the current thread has waited for sockets. */
    public void endWait(boolean counted) {
        if (counted) {
            group.leave();
        }
    }

    /** Called before each socket that is ready, with the number of those that are to be served. */
    public void ready(int sockets) {
        if (used) {
            crowded = sockets > FEW && group.isAnyIdle();
        }
    }

    /** The loop has ended. */
    public void end() {
        fire(Event.END);
        LockSupport.unpark(loopThread);
    }

    /** Whether so many sockets are ready that what they bring should be shared with idle processors. Asked by the same thread. */
    public boolean isCrowded() {
        return crowded;
    }

    // ---- for workers, and whoever watches

    /** The loop. */
    public Loop loop() {
        return loop;
    }

    /** The loop's own thread; null before it has begun. */
    public @Nullable Thread loopThread() {
        return loopThread;
    }

    /** Whether the application's code runs on the loop's own thread, for this borrower, or has just ended there. */
    @SuppressWarnings("ReferenceEquality") // a mark
    public boolean isLentTo(Object other) {
        return state != State.HOME && borrower == other;
    }

    /** Whether nobody polls. */
    public boolean isVacant() {
        return isVacant(state);
    }

    /** Whether the loop has ended. */
    public boolean isEnded() {
        return state == State.ENDED;
    }

    /** Whether a worker is asked to poll and has not come. */
    public boolean isSought() {
        return state == State.SOUGHT;
    }

    /** The number of loans: the same number means the same run of an application's code. */
    public int loans() {
        return loans;
    }

    /** Asks for a worker: the caller then arranges a call of {@link #take} on one. False if that is not needed. */
    public boolean seek() {
        return fire(Event.SEEK);
    }

    /** Whether the code was seen waiting for something during the last loan. Asked by the loop's thread. */
    public boolean hasWaited() {
        return waited == loans && loans != 0;
    }

    /** The code was seen waiting during the loan of this {@linkplain #loans number}, which may have ended meanwhile. */
    public void waited(int loan) {
        waited = loan;
    }

    /** Called by a worker: true if it polls from now on, and must call {@link Loop#poll}. */
    public boolean take() {
        return fire(Event.TAKE);
    }

    /** Called by a worker that could not poll although {@link #take} was true. True if another one is needed. */
    public boolean drop() {
        fire(Event.YIELD);
        LockSupport.unpark(loopThread);
        return state == State.SOUGHT;
    }

    /** Lets a new thread take the place of the loop's, soon: what code has left in its thread-locals goes with it. */
    public void renew() {
        renewalDue = true;
        loop.wakeUp();
    }

    /** True for one caller for each loan: that one need keep no worker free any more. */
    public boolean isReservationOver() {
        return reserved && RESERVED.compareAndSet(this, true, false);
    }

    @Override
    public String toString() {
        return loop + " (" + state + ")";
    }
}
