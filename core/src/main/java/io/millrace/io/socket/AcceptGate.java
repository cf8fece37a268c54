package io.millrace.io.socket;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Counts open connections, and decides whether one more may be accepted: not while paused, not at the limit, and not for
 * 100 ms after accepting has failed, usually because the process is out of file descriptors. A listening socket stays
 * readable then, so an immediate retry would keep a processor busy; the next attempt is made when a connection closes, or
 * after that delay, because descriptors are used elsewhere too.
 */
public final class AcceptGate {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AcceptFailures failures;
    private final int limit;
    private final Runnable wakeAcceptor;
    private final LongSupplier nanoTime;
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean paused;

    /** The last attempt to accept failed. */
    private volatile boolean failing;

    private long nextAttempt;

    /**
     * An open gate without connections.
     *
     * @param name the transport's name in the log
     * @param maxConnections the maximum number of open connections; no limit if it is not positive
     * @param wakeAcceptor called on any thread when the acceptor should try again
     * @param nanoTime {@link System#nanoTime}, or a test's clock
     */
    public AcceptGate(String name, int maxConnections, Runnable wakeAcceptor, LongSupplier nanoTime) {
        this.failures = new AcceptFailures(name, nanoTime);
        this.limit = maxConnections > 0 ? maxConnections : Integer.MAX_VALUE;
        this.wakeAcceptor = wakeAcceptor;
        this.nanoTime = nanoTime;
    }

    /** Closes the gate until {@link #resume}. Safe to call from any thread, like all methods up to {@link #isOpen}. */
    public void pause() {
        paused = true;
        wakeAcceptor.run();
    }

    /** Ends the pause. */
    public void resume() {
        paused = false;
        wakeAcceptor.run();
    }

    /** The number of connections that were accepted and have not been closed. */
    public int open() {
        return open.get();
    }

    /** Records that a connection was closed. True if it was the last one. */
    public boolean leave() {
        int before = open.getAndDecrement();
        if (before >= limit || failing) {
            failing = false;
            wakeAcceptor.run();
        }
        return before == 1;
    }

    /** Whether one more connection may be accepted. Called on the acceptor's thread, like all methods below. */
    public boolean isOpen() {
        return !paused && open.get() < limit && !(failing && nextAttempt - nanoTime.getAsLong() > 0);
    }

    /** Records that a connection was accepted. */
    public void enter() {
        failing = false;
        open.incrementAndGet();
    }

    /**
     * Records that the connection accepted last could not be set up. Unlike the end of a connection, this is no reason
     * to try again.
     */
    public void giveBack() {
        open.decrementAndGet();
    }

    /** The milliseconds until accepting should be tried again; 0 if no retry is due. */
    public long retryDelayMillis() {
        return failing ? TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS) : 0;
    }

    /** Records that accepting failed although a connection is pending. */
    public void failed(Throwable cause) {
        nextAttempt = nanoTime.getAsLong() + RETRY_NANOS;
        failing = true;
        failures.failed(cause, open.get());
    }
}
