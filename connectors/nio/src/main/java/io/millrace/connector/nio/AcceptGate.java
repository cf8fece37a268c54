package io.millrace.connector.nio;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether one more connection may be accepted: not while paused, not at the limit, and not for a moment after accepting
 * failed, which is mostly because the process is out of file descriptors. A listening socket that cannot be accepted from
 * stays readable, so trying on would keep a processor busy; the next try is when a connection closes, or soon anyway,
 * because descriptors are used by others too.
 */
final class AcceptGate {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String name;
    private final int limit;
    private final Runnable wakeAcceptor;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean paused;

    /** Accepting fails, since the last success. */
    private volatile boolean failing;

    private long nextTry;
    private long nextLog = System.nanoTime();

    AcceptGate(String name, int maxConnections, Runnable wakeAcceptor) {
        this.name = name;
        this.limit = maxConnections > 0 ? maxConnections : Integer.MAX_VALUE;
        this.wakeAcceptor = wakeAcceptor;
    }

    void pause() {
        paused = true;
        wakeAcceptor.run();
    }

    void resume() {
        paused = false;
        wakeAcceptor.run();
    }

    /** Connections accepted and not closed. */
    int inside() {
        return inside.get();
    }

    /** A connection is closed. True if it was the last. */
    boolean leave() {
        int before = inside.getAndDecrement();
        if (before >= limit || failing) {
            failing = false;
            wakeAcceptor.run();
        }
        return before == 1;
    }

    /** On the acceptor's thread, as all below. */
    boolean isOpen() {
        return !paused && inside.get() < limit && !(failing && nextTry - System.nanoTime() > 0);
    }

    /** Takes the place of the connection to be accepted, if the gate is open; {@link #leave} gives it back. */
    boolean enter() {
        if (!isOpen()) {
            return false;
        }
        inside.incrementAndGet();
        return true;
    }

    /** How long to wait at most until something happens; 0: for ever. */
    long patienceMillis() {
        return failing ? TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS) : 0;
    }

    void succeeded() {
        failing = false;
    }

    void failed(IOException why) {
        long now = System.nanoTime();
        nextTry = now + RETRY_NANOS;
        failing = true;
        if (nextLog - now <= 0) {
            nextLog = now + LOG_NANOS;
            NioLog.LOG.cannotAccept(name, inside.get(), why.getMessage());
        }
    }
}
