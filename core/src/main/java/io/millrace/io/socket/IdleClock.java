package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a connection waits for its peer, separately for input and output, so that a peer that sends
 * something occasionally gets no more time to receive, nor the reverse. It costs a request only one reading of the
 * clock: the start of a wait is recorded, and one timer per connection checks the records and reschedules itself for the
 * remaining time. A new timer is set only if the current one would fire too late.
 *
 * <p>A wait for input ends by the current timeout; a write by the one in effect when it began or last made progress. That
 * alone would let a peer that takes a byte now and then keep a worker and buffers indefinitely. Therefore all waits for
 * output are also added up, and each byte that the socket accepts takes off the time that it may need at the {@link
 * OutputRate}: a peer that has fallen behind by more than the grace period, or by more than the timeout if that is longer,
 * is too slow. A fast start earns no credit, and time in which nothing waits to be sent does not count. A peer that has ended
 * its output may be given less time for each byte ({@link #limitOutput}).
 *
 * <p>The records are published by the state that shows other threads that the connection waits; by themselves they are
 * only atomic.
 */
public final class IdleClock implements Runnable {

    private static final VarHandle TIMEOUT = AtomicField.of(MethodHandles.lookup(), "timeoutNanos", long.class);
    private static final VarHandle INPUT_SINCE = AtomicField.of(MethodHandles.lookup(), "inputSince", long.class);
    private static final VarHandle OUTPUT_DEADLINE =
            AtomicField.of(MethodHandles.lookup(), "outputDeadline", long.class);

    private final IdleCheck connection;

    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private long timeoutNanos;

    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private long inputSince;

    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private long outputDeadline;

    // confined to the writer: the thread that writes, then the one that continues the pending write

    /** The nanoseconds by which the peer has fallen behind the minimum rate, except for the current wait. */
    private long behind;

    private boolean outputWaits;
    private long outputSince;

    /** Whether the deadline of the pending write is that of the rate, and not of the timeout. */
    private volatile boolean rateDecides;

    /** The longest that a write may wait, in nanoseconds; 0 for no limit beside the timeout. */
    private volatile long outputLimit;

    /** The {@link System#nanoTime} at which the timer fires; undefined while there is none. */
    private volatile long fireTime;

    private volatile boolean armed;
    private Timers.@Nullable Timer timer;

    /** A clock without a timeout. */
    public IdleClock(IdleCheck connection) {
        this.connection = connection;
    }

    /** Sets the timeout; zero for none. A wait for input in progress restarts. Called by the owner of the input. */
    public void timeout(Duration timeout) {
        TIMEOUT.setOpaque(this, Delays.nanos(timeout));
        beginInput();
        if (connection.isWaitingForInput()) {
            watch(inputDeadline());
        }
    }

    /** The timeout in nanoseconds; 0 for none. */
    public long timeoutNanos() {
        return (long) TIMEOUT.getOpaque(this);
    }

    /** Records the start of a wait for input. Called by its owner, before other threads can see that it waits. */
    public void beginInput() {
        if (timeoutNanos() > 0) {
            INPUT_SINCE.setOpaque(this, System.nanoTime());
        }
    }

    /** For how long the connection has waited for input, in nanoseconds; -1 without a timeout. Meaningful only while it waits. */
    public long idleNanos() {
        return timeoutNanos() > 0 ? Math.max(0, System.nanoTime() - (long) INPUT_SINCE.getOpaque(this)) : -1;
    }

    /**
     * The deadline of the wait for input, for {@link #watch}; 0 for none. Called by its owner, before it gives up the
     * ownership.
     */
    public long inputDeadline() {
        long timeout = timeoutNanos();
        return timeout > 0 ? nonZero((long) INPUT_SINCE.getOpaque(this) + timeout) : 0;
    }

    /** Limits how long writes wait without progress, the pending one included. Safe to call from any thread. */
    public void limitOutput(Duration limit) {
        outputLimit = Delays.nanos(limit);
        long nearer = nonZero(System.nanoTime() + outputLimit);
        long deadline = (long) OUTPUT_DEADLINE.getVolatile(this);
        while (deadline == 0 ? connection.isWaitingForOutput() : nearer - deadline < 0) {
            if (OUTPUT_DEADLINE.compareAndSet(this, deadline, nearer)) {
                rateDecides = false;
            }
            deadline = (long) OUTPUT_DEADLINE.getVolatile(this); // a write may just have begun to wait, or ended
        }
        if (connection.isWaitingForOutput()) {
            watch(nearer);
        }
    }

    /**
     * Records that a write begins to wait, or waits again after progress. Returns its deadline, for {@link #watch}; 0 for
     * none. Called by the writer, like {@link #sent} and {@link #endOutput}.
     */
    public long beginOutput() {
        while (true) {
            long limit = outputLimit;
            long deadline = outputDeadline(timeoutNanos(), limit);
            OUTPUT_DEADLINE.setVolatile(this, deadline);
            if (limit == outputLimit) {
                return deadline; // otherwise it has just been limited
            }
        }
    }

    private long outputDeadline(long timeout, long limit) {
        if (timeout <= 0 && limit <= 0) {
            return 0;
        }
        long now = System.nanoTime();
        addWait(now);
        outputWaits = true;
        outputSince = now;
        long left = timeout > 0 ? left(timeout) : limit;
        boolean byRate = timeout > 0 && left < timeout && (limit <= 0 || left < limit);
        if (rateDecides != byRate) {
            rateDecides = byRate;
        }
        return nonZero(now + (limit > 0 ? Math.min(left, limit) : left));
    }

    /** How long the next wait may last. */
    private long left(long timeout) {
        OutputRate minimum = connection.outputRate();
        return minimum.rate() == 0 ? timeout : Math.min(timeout, Math.max(minimum.graceNanos(), timeout) - behind);
    }

    /** Records that the socket has accepted this many bytes. */
    public void sent(long bytes) {
        if (bytes > 0) {
            connection.meter().send(bytes);
        }
        if (outputWaits) {
            addWait(System.nanoTime());
        }
        if (behind > 0) {
            behind -= connection.outputRate().time(bytes, behind);
        }
    }

    private void addWait(long now) {
        if (outputWaits && connection.outputRate().rate() > 0) {
            behind += now - outputSince;
        }
        outputSince = now;
    }

    /** Records that no write waits any longer. */
    public void endOutput() {
        if (outputWaits) {
            addWait(System.nanoTime());
            outputWaits = false;
            OUTPUT_DEADLINE.setOpaque(this, 0L);
        }
    }

    /** Whether it is the minimum rate that a write which {@linkplain #isOutputOver is over} has missed. */
    public boolean isPeerTooSlow() {
        return rateDecides;
    }

    private static long nonZero(long deadline) {
        return deadline == 0 ? 1 : deadline;
    }

    /** Makes sure that the timer fires by this deadline. Called after other threads can see that the connection waits. */
    public void watch(long deadline) {
        if (deadline != 0 && (!armed || fireTime - deadline > 0)) {
            arm(deadline);
        }
    }

    /** Makes sure that the timer fires by the deadlines of the current waits. */
    public void watch() {
        watch(nearest());
    }

    private synchronized void arm(long deadline) {
        if (armed && fireTime - deadline <= 0) {
            return;
        }
        stop();
        if (!connection.isClosed()) {
            set(deadline);
        }
    }

    /** Called by the timer, on the timer thread. */
    @Override
    public void run() {
        synchronized (this) {
            if (!armed || fireTime - System.nanoTime() > 0) {
                return; // has just been replaced by another timer
            }
            armed = false; // from here on, an owner that begins to wait sets a timer
            timer = null;
            long deadline = nearest();
            if (deadline == 0) {
                return;
            }
            if (deadline - System.nanoTime() > 0) {
                set(deadline);
                return;
            }
        }
        connection.overdue();
    }

    /** The earlier deadline of the current waits; 0 for none. */
    private long nearest() {
        long input = connection.isWaitingForInput() ? inputDeadline() : 0;
        long output = connection.isWaitingForOutput() ? (long) OUTPUT_DEADLINE.getOpaque(this) : 0;
        if (input == 0 || output == 0) {
            return input + output;
        }
        return input - output < 0 ? input : output;
    }

    /** Whether the wait for input has timed out. Called by a thread that may end it. */
    public boolean isInputOver() {
        return isOver(inputDeadline());
    }

    /** Whether the pending write has timed out. Called by a thread that may end it. */
    public boolean isOutputOver() {
        return isOver((long) OUTPUT_DEADLINE.getOpaque(this));
    }

    private static boolean isOver(long deadline) {
        return deadline != 0 && deadline - System.nanoTime() <= 0;
    }

    /** Cancels the timer, because the connection is closed. Safe to call from any thread. */
    public synchronized void stop() {
        armed = false;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void set(long deadline) {
        timer = connection.timers().scheduleNanos(this, Math.max(1, deadline - System.nanoTime()));
        fireTime = deadline;
        armed = true; // last, so that the next wait tries again if setting the timer fails
    }
}
