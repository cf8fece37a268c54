package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a connection has been waiting for its peer: for input and for output each by itself, so that a peer that sends
 * something now and then gets no more time to take what is sent to it, nor the other way round. A request costs it one look
 * at the time: waiting only notes when it began, and one timer per connection comes by, looks at the notes, and sets itself
 * again for what is left. A new timer is set only when the next visit would come too late.
 *
 * <p>A wait for input ends by the timeout of the moment; a write by the one it began with, or made its last progress with:
 * what a reader sets meanwhile is not for it.
 *
 * <p>The notes are published by whatever shows others that the connection waits; by themselves they are only whole, never
 * torn.
 */
public final class IdleClock implements Runnable {

    private static final VarHandle TIMEOUT = AtomicField.of(MethodHandles.lookup(), "timeoutNanos", long.class);
    private static final VarHandle INPUT_SINCE = AtomicField.of(MethodHandles.lookup(), "inputSince", long.class);
    private static final VarHandle OUTPUT_DEADLINE =
            AtomicField.of(MethodHandles.lookup(), "outputDeadline", long.class);

    private final IdleCheck connection;

    @SuppressWarnings("UnusedVariable") // by its handle
    private long timeoutNanos;

    @SuppressWarnings("UnusedVariable") // by its handle
    private long inputSince;

    @SuppressWarnings("UnusedVariable") // by its handle
    private long outputDeadline;

    /** When the timer comes, as {@link System#nanoTime}; meaningless while there is none. */
    private volatile long visit;

    private volatile boolean armed;
    private Timers.@Nullable Timer timer;

    /** Without a timeout. */
    public IdleClock(IdleCheck connection) {
        this.connection = connection;
    }

    /** Zero: none. Counts from now, also for a wait for input that is under way. By the owner of the input. */
    public void timeout(Duration timeout) {
        TIMEOUT.setOpaque(this, Delays.nanos(timeout));
        beginInput();
        if (connection.isWaitingForInput()) {
            watch(inputDeadline());
        }
    }

    /** Nanoseconds; 0: none. */
    public long timeoutNanos() {
        return (long) TIMEOUT.getOpaque(this);
    }

    /** The wait for input begins. By its owner, before it lets others see that it waits. */
    public void beginInput() {
        if (timeoutNanos() > 0) {
            INPUT_SINCE.setOpaque(this, System.nanoTime());
        }
    }

    /** When the wait for input is too long, for {@link #watch}; 0: never. By its owner, before it gives up the ownership. */
    public long inputDeadline() {
        long timeout = timeoutNanos();
        return timeout > 0 ? never0((long) INPUT_SINCE.getOpaque(this) + timeout) : 0;
    }

    /** A write begins to wait, or has made progress. The answer is when it will have waited too long; 0: never. */
    public long beginOutput() {
        long timeout = timeoutNanos();
        long deadline = timeout > 0 ? never0(System.nanoTime() + timeout) : 0;
        OUTPUT_DEADLINE.setOpaque(this, deadline);
        return deadline;
    }

    /** The write waits no more. For one that is seen to wait before its time begins. */
    public void endOutput() {
        OUTPUT_DEADLINE.setOpaque(this, 0L);
    }

    private static long never0(long deadline) {
        return deadline == 0 ? 1 : deadline;
    }

    /** Makes sure that the timer comes in time. After others can see that the connection waits. */
    public void watch(long deadline) {
        if (deadline != 0 && (!armed || visit - deadline > 0)) {
            arm(deadline);
        }
    }

    /** The same, for what is still waited for. */
    public void watch() {
        watch(nearest());
    }

    private synchronized void arm(long deadline) {
        if (armed && visit - deadline <= 0) {
            return;
        }
        stop();
        if (!connection.isClosed()) {
            set(deadline);
        }
    }

    /** The timer's visit, on the timers' thread. */
    @Override
    public void run() {
        synchronized (this) {
            if (!armed || visit - System.nanoTime() > 0) {
                return; // replaced by another in this very moment
            }
            armed = false; // from here on, an owner that begins to wait sets the timer itself
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

    /** The earlier deadline of what is waited for; 0: none. */
    private long nearest() {
        long input = connection.isWaitingForInput() ? inputDeadline() : 0;
        long output = connection.isWaitingForOutput() ? (long) OUTPUT_DEADLINE.getOpaque(this) : 0;
        if (input == 0 || output == 0) {
            return input + output;
        }
        return input - output < 0 ? input : output;
    }

    /** Is the wait for input too long already? Called by a thread that may end it. */
    public boolean isInputOver() {
        return isOver(inputDeadline());
    }

    /** Has the peer accepted nothing of the pending write for too long? Called by a thread that may end it. */
    public boolean isOutputOver() {
        return isOver((long) OUTPUT_DEADLINE.getOpaque(this));
    }

    private static boolean isOver(long deadline) {
        return deadline != 0 && deadline - System.nanoTime() <= 0;
    }

    /** The connection is closed: no timer any more. Any thread. */
    public synchronized void stop() {
        armed = false;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void set(long deadline) {
        timer = connection.timers().scheduleNanos(this, Math.max(1, deadline - System.nanoTime()));
        visit = deadline;
        armed = true; // last: what can't be set must be tried again by the next wait
    }
}
