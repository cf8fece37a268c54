package io.millrace.io.socket;

import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a connection has been waiting for its peer. A request costs it one look at the time: waiting only notes when it
 * began, and one timer per connection comes by, looks at the note, and sets itself again for what is left. A new timer is
 * set only when the next visit would come too late.
 *
 * <p>The note is published by whatever shows others that the connection waits; by itself it is only whole, never torn.
 */
public final class IdleClock implements Runnable {

    private static final VarHandle TIMEOUT;
    private static final VarHandle SINCE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TIMEOUT = lookup.findVarHandle(IdleClock.class, "timeoutNanos", long.class);
            SINCE = lookup.findVarHandle(IdleClock.class, "since", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Waiting connection;
    private long timeoutNanos;

    @SuppressWarnings("UnusedVariable") // by its handle
    private long since;

    /** When the timer comes, as {@link System#nanoTime}; meaningless while there is none. */
    private volatile long visit;

    private volatile boolean armed;
    private Timers.@Nullable Timer timer;

    /** Without a timeout. */
    public IdleClock(Waiting connection) {
        this.connection = connection;
    }

    /** Zero: none. Counts from now, also for a wait that is under way. By the connection's owner. */
    public void timeout(Duration timeout) {
        TIMEOUT.setOpaque(this, Delays.nanos(timeout));
        begin();
        if (connection.isWaiting()) {
            watch(deadline());
        }
    }

    /** Nanoseconds; 0: none. */
    public long timeoutNanos() {
        return (long) TIMEOUT.getOpaque(this);
    }

    /** The waiting begins, or begins anew. By the owner, before it lets others see that it waits. */
    public void begin() {
        if (timeoutNanos > 0) {
            SINCE.setOpaque(this, System.nanoTime());
        }
    }

    /** When the wait that was begun is too long, for {@link #watch}. By the owner, before it gives up the ownership. */
    public long deadline() {
        long timeout = timeoutNanos();
        return timeout > 0 ? (long) SINCE.getOpaque(this) + timeout : 0;
    }

    /** Both, for a write that has begun to wait already: whatever ends it meanwhile does no harm. */
    public void beginWatched() {
        begin();
        watch(deadline());
    }

    /** Makes sure that the timer comes in time. After others can see that the connection waits. */
    public void watch(long deadline) {
        if (deadline != 0 && (!armed || visit - deadline > 0)) {
            arm(deadline);
        }
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
            if (!connection.isWaiting() || timeoutNanos() == 0) {
                return;
            }
            long deadline = deadline();
            if (deadline - System.nanoTime() > 0) {
                set(deadline);
                return;
            }
        }
        connection.overdue();
    }

    /** Is the wait too long already? By whoever may end it. */
    public boolean isOver() {
        long timeout = timeoutNanos();
        return timeout > 0 && (long) SINCE.getOpaque(this) + timeout - System.nanoTime() <= 0;
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
