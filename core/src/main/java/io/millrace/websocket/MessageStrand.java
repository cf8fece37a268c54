package io.millrace.websocket;

import io.millrace.exchange.ExchangeChannel;
import io.millrace.io.LoopRole;
import io.millrace.io.Timers;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A serial executor for the calls of one connection's listener, on workers, in place, or on the connection's event loop. Messages that
 * arrive during a call are queued; at a limit, reading stops until the listener has caught up.
 *
 * <pre>
 * state     add, resume                     a thread finds nothing due   no worker available
 * IDLE      RUNNING if a call is due        –                            –
 * RUNNING   RUNNING                         IDLE                         RUNNING: retried until one is available
 * </pre>
 *
 * A call is due unless a pause holds it back. A pause holds back messages, and a regular close behind them; any other end of the connection is
 * due immediately, and messages held back before it are dropped.
 *
 * <p><b>Threads.</b> Any thread adds. The first to add submits one task to the workers, which also makes the calls added meanwhile.
 */
final class MessageStrand implements ExchangeChannel.LoopTask {

    /** The connection of a strand. */
    interface Owner {

        /** Calls the listener. */
        void call(Delivery due);

        /** The listener has caught up after a {@link #stall}. */
        void resumeReading();

        /** Whether the current thread may make calls that block. */
        boolean callsInPlace();

        /**
         * Runs a task on a worker.
         *
         * @throws RejectedExecutionException if no worker accepts it
         */
        void handOver(Runnable task);

        /**
         * Runs a task on a worker, or on the connection's event loop, after the current call of that has returned.
         *
         * @throws RejectedExecutionException if no worker accepts it
         */
        void handOverOrRunOnLoop(ExchangeChannel.LoopTask task);

        /** Runs a task later. */
        Timers.Timer after(long nanos, Runnable task);

        /** Ends the connection. */
        void abort(Throwable cause);
    }

    /** Reading stops while this many messages or bytes are pending for the listener. */
    private static final int MAX_MESSAGES = 16;

    private static final int MAX_BYTES = 64 * 1024;

    /** The number of calls in a row before the worker serves other connections. */
    private static final int FAIR = 64;

    /** The same on an event loop, where they have to be short together. A worker makes those behind them. */
    private static final int FAIR_ON_LOOP = 8;

    private static final long FIRST_RETRY = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_RETRY = TimeUnit.SECONDS.toNanos(64);

    private final Owner owner;

    // guarded by this
    private @Nullable Delivery first;
    private @Nullable Delivery last;
    private int count;
    private int bytes;
    private boolean running;
    private boolean stalled;
    private boolean paused;
    private @Nullable Thread runner;

    MessageStrand(Owner owner) {
        this.owner = owner;
    }

    /** Queues a call. Thread-safe. */
    void add(Delivery added) {
        synchronized (this) {
            if (last == null) {
                first = added;
            } else {
                last.next = added;
            }
            last = added;
            count++;
            bytes += added.size;
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
            handOver(FIRST_RETRY, true);
        }
    }

    /**
     * Submits the calls to a worker. If none accepts, the server is overloaded or stopping: the connection is aborted, and its
     * listener is notified as soon as a thread is available, however long that takes.
     */
    private void handOver(long retry, boolean orToLoop) {
        try {
            if (orToLoop) {
                owner.handOverOrRunOnLoop(this);
            } else {
                owner.handOver(this);
            }
        } catch (RuntimeException | Error none) { // also of a listener that is asked what to expect of it
            try {
                owner.abort(none);
            } finally {
                owner.after(retry, () -> handOver(Math.min(2 * retry, LAST_RETRY), false));
            }
        }
    }

    @Override
    public void refused() {
        handOver(FIRST_RETRY, false);
    }

    /** Makes the calls that are due, until the queue is empty. */
    @Override
    public void run() {
        int fair = LoopRole.ofCurrentThread() == null ? FAIR : FAIR_ON_LOOP;
        for (int turns = 0; turns < fair || owner.callsInPlace(); turns++) {
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

    /** Whatever is thrown, the calls behind it are made, above all onClose. */
    private void make(@Nullable Delivery due) {
        try {
            if (due == null) {
                owner.resumeReading();
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

    /** Called with the lock held. Null if nothing is due: the state is then IDLE. */
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

    /** Called with the lock held. Drops nothing if no end is queued, or only a regular close, which waits behind the messages. */
    private void dropMessagesBeforeTheEnd() {
        Delivery end = first;
        while (end != null && end.kind.waits()) {
            end = end.next;
        }
        for (Delivery held = first; end != null && held != null && held.kind.waits(); held = first) {
            remove(held);
        }
    }

    /** Called with the lock held. */
    private void remove(Delivery head) {
        first = head.next;
        if (first == null) {
            last = null;
        }
        count--;
        bytes -= head.size;
    }

    /** Called with the lock held. True once after each {@link #stall}. */
    private boolean mayReadAgain() {
        boolean again = stalled && !paused && count <= MAX_MESSAGES / 2 && bytes <= MAX_BYTES / 2;
        stalled &= !again;
        return again;
    }

    /** Whether the current thread is the one that calls the listener. */
    @SuppressWarnings("ReferenceEquality") // this very thread
    synchronized boolean isRunner() {
        return runner == Thread.currentThread();
    }

    /** Whether reading must stop. */
    synchronized boolean isFull() {
        return paused || count >= MAX_MESSAGES || bytes >= MAX_BYTES;
    }

    /**
     * Stops reading if that is still necessary.
     *
     * @return true if the caller is no longer the reader: the thread that makes the calls resumes reading when there is room
     */
    synchronized boolean stall() {
        stalled = isFull();
        return stalled;
    }

    synchronized void pause() {
        paused = true;
    }

    /** Thread-safe. The calls are made on a worker, because the current thread may be in a call of another listener. */
    void resume() {
        boolean idle;
        synchronized (this) {
            paused = false;
            idle = !running && (first != null || stalled);
            running |= idle;
        }
        if (idle) {
            handOver(FIRST_RETRY, false);
        }
    }
}
