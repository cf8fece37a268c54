package io.millrace.connector.nio2;

import io.millrace.io.socket.AcceptFailures;
import io.millrace.io.socket.Listening;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether one more connection may be accepted: not while paused, not at the limit, and not for a moment after accepting
 * failed, which is mostly because the process is out of file descriptors. Trying on at once would keep a processor busy; the
 * next try is when a connection closes, or soon anyway, because descriptors are used by others too.
 */
final class AcceptGate implements Listening.Gate {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AcceptFailures failures;
    private final int limit;
    private int inside;
    private boolean paused;
    private boolean closed;

    /** Accepting failed, and nothing has happened since. */
    private boolean failing;

    AcceptGate(String name, int maxConnections) {
        this.failures = new AcceptFailures(name, System::nanoTime);
        this.limit = maxConnections > 0 ? maxConnections : Integer.MAX_VALUE;
    }

    @Override
    public void pause() {
        change(() -> paused = true);
    }

    @Override
    public void resume() {
        change(() -> paused = false);
    }

    /** For good. */
    void close() {
        change(() -> closed = true);
    }

    @Override
    public int inside() {
        lock.lock();
        try {
            return inside;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean leave() {
        lock.lock();
        try {
            if (inside-- >= limit || failing) {
                failing = false;
                changed.signal();
            }
            return inside == 0;
        } finally {
            lock.unlock();
        }
    }

    /** On the acceptor's thread, as all below. Waits until one more may be accepted; false if none ever will. */
    boolean awaitOpen() {
        lock.lock();
        try {
            long rest = RETRY_NANOS;
            while (!closed && (paused || inside >= limit || failing)) {
                if (failing) {
                    rest = changed.awaitNanos(rest);
                    failing &= rest > 0;
                } else {
                    changed.await();
                }
            }
            return !closed;
        } catch (InterruptedException nobodyShould) {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * One was accepted; waits while paused, because a pending accept can't be called back. False if it must be closed,
     * because none will be served any more.
     */
    boolean enter() {
        lock.lock();
        try {
            while (paused && !closed) {
                changed.awaitUninterruptibly();
            }
            inside += closed ? 0 : 1;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    void failed(Throwable why) {
        lock.lock();
        try {
            failing = true;
        } finally {
            lock.unlock();
        }
        failures.failed(why, inside());
    }

    private void change(Runnable state) {
        lock.lock();
        try {
            state.run();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
