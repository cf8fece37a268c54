package io.millrace.io.socket;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Whether one more connection may be accepted: not while paused, not at the limit, and not for a moment after accepting
 * failed, which is mostly because the process is out of file descriptors. A listening socket that cannot be accepted from
 * stays readable, so trying on would keep a processor busy; the next try is when a connection closes, or soon anyway,
 * because descriptors are used by others too.
 */
public final class AcceptGate {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AcceptFailures failures;
    private final int limit;
    private final Runnable wakeAcceptor;
    private final LongSupplier nanoTime;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean paused;

    /** Accepting fails, since the last success. */
    private volatile boolean failing;

    private long nextTry;

    /**
     * Open, with nobody inside.
     *
     * @param name the transport's, for the log
     * @param maxConnections the limit; none if not positive
     * @param wakeAcceptor called when the acceptor should look again, on any thread
     * @param nanoTime {@link System#nanoTime}, or a test's clock
     */
    public AcceptGate(String name, int maxConnections, Runnable wakeAcceptor, LongSupplier nanoTime) {
        this.failures = new AcceptFailures(name, nanoTime);
        this.limit = maxConnections > 0 ? maxConnections : Integer.MAX_VALUE;
        this.wakeAcceptor = wakeAcceptor;
        this.nanoTime = nanoTime;
    }

    /** Shuts it until {@link #resume}. Any thread, as all up to {@link #isOpen}. */
    public void pause() {
        paused = true;
        wakeAcceptor.run();
    }

    /** Ends the pause. */
    public void resume() {
        paused = false;
        wakeAcceptor.run();
    }

    /** Connections accepted and not closed. */
    public int inside() {
        return inside.get();
    }

    /** A connection is closed. True if it was the last. */
    public boolean leave() {
        int before = inside.getAndDecrement();
        if (before >= limit || failing) {
            failing = false;
            wakeAcceptor.run();
        }
        return before == 1;
    }

    /** May one more be accepted? On the acceptor's thread, as all below. */
    public boolean isOpen() {
        return !paused && inside.get() < limit && !(failing && nextTry - nanoTime.getAsLong() > 0);
    }

    /** A connection was accepted. */
    public void enter() {
        failing = false;
        inside.incrementAndGet();
    }

    /** The connection that entered last came to nothing. Unlike its leaving, it is no reason to try again. */
    public void giveBack() {
        inside.decrementAndGet();
    }

    /** How long to wait at most until something happens; 0: for ever. */
    public long patienceMillis() {
        return failing ? TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS) : 0;
    }

    /** None could be accepted although somebody is there. */
    public void failed(Throwable why) {
        nextTry = nanoTime.getAsLong() + RETRY_NANOS;
        failing = true;
        failures.failed(why, inside.get());
    }
}
