package io.millrace.websocket;

import io.millrace.io.Timers;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of one connection's listener, one after the other, on workers or in place. What arrives while a call is under
 * way is queued; when that is much, reading stops until the listener has caught up.
 *
 * <pre>
 * state     add, resume                     a thread finds nothing due   no worker can be had
 * IDLE      RUNNING if a call is due        –                            –
 * RUNNING   RUNNING                         IDLE                         RUNNING: tried again later, until there is one
 * </pre>
 *
 * A call is due unless a pause holds it back. A pause holds back messages, and a proper close behind them; any other end of the connection is
 * due at once, and messages that were held back before it are dropped.
 *
 * <p><b>Threads.</b> Any thread adds. The first to add hands a task to the workers, which makes all calls that come meanwhile.
 */
final class MessageStrand implements Runnable {

    /** What the strand belongs to. */
    interface Owner {

        /** Makes one call of the listener. */
        void call(Delivery due);

        /** Reads on after a {@link #stall}: the listener has caught up. */
        void readOn();

        /** May the current thread make calls that block? */
        boolean callsInPlace();

        /**
         * Has a worker run a task.
         *
         * @throws RejectedExecutionException if none takes it now
         */
        void handOver(Runnable task);

        /** Runs a task later. */
        Timers.Timer after(long nanos, Runnable task);

        /** Ends the connection. */
        void abort(Throwable cause);
    }

    /** So much may wait for the listener before reading stops. */
    private static final int MOST_MESSAGES = 16;

    private static final int MOST_OCTETS = 64 * 1024;

    /** Calls in a row before other connections have their turn. */
    private static final int FAIR = 64;

    private static final long FIRST_RETRY = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_RETRY = TimeUnit.SECONDS.toNanos(64);

    private final Owner owner;

    // guarded by this
    private @Nullable Delivery first;
    private @Nullable Delivery last;
    private int count;
    private int octets;
    private boolean running;
    private boolean stalled;
    private boolean paused;
    private @Nullable Thread runner;

    MessageStrand(Owner owner) {
        this.owner = owner;
    }

    /** On the connection's thread, or any. */
    void add(Delivery added) {
        synchronized (this) {
            if (last == null) {
                first = added;
            } else {
                last.next = added;
            }
            last = added;
            count++;
            octets += added.size;
            if (running || paused && added.kind.waits()) {
                return;
            }
            running = true;
        }
        start();
    }

    private void start() {
        if (owner.callsInPlace()) {
            run();
        } else {
            handOver(FIRST_RETRY);
        }
    }

    /**
     * Has a worker make the calls. If there is none, the server is overloaded or stops: the connection ends, and its listener is
     * told as soon as there is a thread, however long that takes.
     */
    private void handOver(long retry) {
        try {
            owner.handOver(this);
        } catch (RejectedExecutionException | Error none) {
            try {
                owner.abort(none);
            } finally {
                owner.after(retry, () -> handOver(Math.min(2 * retry, LAST_RETRY)));
            }
        }
    }

    /** Makes the calls that are due. */
    @Override
    public void run() {
        for (int turns = 0; turns < FAIR || owner.callsInPlace(); turns++) {
            Delivery due = null;
            boolean read;
            synchronized (this) {
                read = mayReadAgain();
                if (!read) {
                    due = poll();
                    if (due == null) {
                        return;
                    }
                }
            }
            make(due);
        }
        release();
        start();
    }

    /** Whatever is thrown, what comes after it is called, the end above all. */
    private void make(@Nullable Delivery due) {
        try {
            if (due == null) {
                owner.readOn();
            } else {
                owner.call(due);
            }
        } catch (RuntimeException | Error failed) {
            owner.abort(failed);
        }
    }

    private synchronized void release() {
        runner = null;
    }

    /** Under the lock. Null if nothing is due: then the next to add begins again. */
    private @Nullable Delivery poll() {
        if (paused) {
            dropMessagesBeforeTheEnd();
        }
        Delivery due = first;
        if (due == null || paused && due.kind.waits()) {
            running = false;
            runner = null;
            return null;
        }
        runner = Thread.currentThread();
        remove(due);
        return due;
    }

    /** Under the lock. Unless no end is queued, or one that waits behind them. */
    private void dropMessagesBeforeTheEnd() {
        Delivery end = first;
        while (end != null && end.kind.waits()) {
            end = end.next;
        }
        for (Delivery held = first; end != null && held != null && held.kind.waits(); held = first) {
            remove(held);
        }
    }

    /** Under the lock: the first. */
    private void remove(Delivery head) {
        first = head.next;
        if (first == null) {
            last = null;
        }
        count--;
        octets -= head.size;
    }

    /** Under the lock. True once after each {@link #stall}. */
    private boolean mayReadAgain() {
        boolean again = stalled && !paused && count <= MOST_MESSAGES / 2 && octets <= MOST_OCTETS / 2;
        stalled &= !again;
        return again;
    }

    /** Is this thread one that makes a call right now? */
    @SuppressWarnings("ReferenceEquality") // this very thread
    synchronized boolean isRunner() {
        return runner == Thread.currentThread();
    }

    /** Should the reader stop? */
    synchronized boolean isFull() {
        return paused || count >= MOST_MESSAGES || octets >= MOST_OCTETS;
    }

    /**
     * The reader stops, if that is still necessary: then it is not the reader any more, and whoever makes the calls reads on when
     * there is room.
     */
    synchronized boolean stall() {
        stalled = isFull();
        return stalled;
    }

    synchronized void pause() {
        paused = true;
    }

    /** On any thread; the calls are made on another, as the current one may be in a call of another listener. */
    void resume() {
        boolean idle;
        synchronized (this) {
            paused = false;
            idle = !running && (first != null || stalled);
            running |= idle;
        }
        if (idle) {
            handOver(FIRST_RETRY);
        }
    }
}
