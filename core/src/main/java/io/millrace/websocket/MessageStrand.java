package io.millrace.websocket;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls the listener of one connection, one call after the other, on workers or in place. What arrives while a call is under
 * way is queued; when that is much, reading stops until the listener has caught up.
 *
 * <p><b>Threads.</b> Any thread adds. The first to add hands a task to the workers, which makes all calls that come meanwhile.
 */
final class MessageStrand implements Runnable {

    /** So much may wait for the listener before reading stops. */
    private static final int MOST_MESSAGES = 16;

    private static final int MOST_OCTETS = 64 * 1024;

    /** Calls in a row before other connections have their turn. */
    private static final int FAIR = 64;

    private static final int TRIES = 10;

    private final WebSocketSession session;

    // guarded by this
    private @Nullable Delivery first;
    private @Nullable Delivery last;
    private int count;
    private int octets;
    private boolean running;
    private boolean stalled;
    private boolean paused;
    private @Nullable Thread runner;

    MessageStrand(WebSocketSession session) {
        this.session = session;
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
            if (running || paused && added.kind.isMessage()) {
                return;
            }
            running = true;
        }
        start(TRIES);
    }

    private void start(int tries) {
        if (session.callsInPlace()) {
            run();
            return;
        }
        Executor workers = session.workers();
        try {
            workers.execute(this);
        } catch (RejectedExecutionException | Error none) {
            retry(none, tries);
        }
    }

    /** The server is overloaded or stops: the connection ends, and its listener is to learn that as soon as there is a thread. */
    private void retry(Throwable none, int tries) {
        session.abort(none);
        if (tries > 0) {
            session.after(TimeUnit.SECONDS.toNanos(1), () -> start(tries - 1));
        }
    }

    /** Makes the calls that are due. */
    @Override
    public void run() {
        for (int turns = 0; turns < FAIR || session.callsInPlace(); turns++) {
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
            if (due == null) {
                session.readLoop();
            } else {
                session.call(due);
            }
        }
        release();
        start(TRIES);
    }

    private synchronized void release() {
        runner = null;
    }

    /** Under the lock. Null if nothing is due: then the next to add begins again. */
    private @Nullable Delivery poll() {
        Delivery due = first;
        if (due == null || paused && due.kind.isMessage()) {
            running = false;
            runner = null;
            return null;
        }
        runner = Thread.currentThread();
        first = due.next;
        if (first == null) {
            last = null;
        }
        count--;
        octets -= due.size;
        return due;
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

    /** On any thread. */
    void resume() {
        boolean idle;
        synchronized (this) {
            paused = false;
            idle = !running && (first != null || stalled);
            running |= idle;
        }
        if (idle) {
            resumeOnWorker();
        }
    }

    /** Not on the caller's thread, which may be in a call of another listener. */
    private void resumeOnWorker() {
        try {
            session.workers().execute(this);
        } catch (RejectedExecutionException | Error none) {
            retry(none, TRIES);
        }
    }
}
