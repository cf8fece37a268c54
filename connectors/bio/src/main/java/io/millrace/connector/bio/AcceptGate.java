package io.millrace.connector.bio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Whether one more connection may be accepted: not while paused, not at the limit, and not for a moment after accepting
 * failed, which is mostly because the process is out of file descriptors. A listening socket that cannot be accepted from
 * stays readable, so trying on would keep a processor busy; the next try is when a connection closes, or soon anyway,
 * because descriptors are used by others too.
 */
final class AcceptGate {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Loaded before descriptors run out: loading a class may take one. */
    private final BioLog log = BioLog.LOG;

    private final String name;
    private final int limit;
    private final Runnable wakeAcceptor;
    private final LongSupplier nanoTime;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean paused;

    /** Accepting fails, since the last success. */
    private volatile boolean failing;

    private long nextTry;
    private long nextLog;

    AcceptGate(String name, int maxConnections, Runnable wakeAcceptor, LongSupplier nanoTime) {
        this.name = name;
        this.limit = maxConnections > 0 ? maxConnections : Integer.MAX_VALUE;
        this.wakeAcceptor = wakeAcceptor;
        this.nanoTime = nanoTime;
        this.nextLog = nanoTime.getAsLong();
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
        return !paused && inside.get() < limit && !(failing && nextTry - nanoTime.getAsLong() > 0);
    }

    /** Takes the place of the connection to be accepted, if the gate is open. */
    boolean enter() {
        if (!isOpen()) {
            return false;
        }
        inside.incrementAndGet();
        return true;
    }

    /** Gives back the place that was taken for nobody. Unlike a connection's leaving, it is no reason to try again. */
    void giveBack() {
        inside.decrementAndGet();
    }

    /** How long to wait at most until something happens; 0: for ever. */
    long patienceMillis() {
        return failing ? TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS) : 0;
    }

    void succeeded() {
        failing = false;
    }

    void failed(Throwable why) {
        long now = nanoTime.getAsLong();
        nextTry = now + RETRY_NANOS;
        failing = true;
        if (nextLog - now <= 0) {
            nextLog = now + LOG_NANOS;
            log(why);
        }
    }

    private void log(Throwable why) {
        try {
            log.cannotAccept(name, inside.get(), why.getMessage());
        } catch (Throwable alsoOutOfDescriptors) {
            // logging may open a file or load a class; accepting goes on without it
        }
    }
}
