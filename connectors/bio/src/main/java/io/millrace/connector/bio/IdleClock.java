package io.millrace.connector.bio;

import io.millrace.io.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a connection has been waiting for its peer. A request costs it one look at the time: waiting only notes when it
 * began, and one timer per connection comes by, looks at the note, and sets itself again for what is left. A new timer is
 * set only when the next visit would come too late.
 */
final class IdleClock implements Runnable {

    private final BioConnection connection;
    private long timeoutNanos;
    private long since;

    /** When the timer comes, as {@link System#nanoTime}; meaningless while there is none. */
    private volatile long visit;

    private volatile boolean armed;
    private Timers.@Nullable Timer timer;

    IdleClock(BioConnection connection) {
        this.connection = connection;
    }

    /** By the connection's owner. */
    void timeout(Duration timeout) {
        timeoutNanos = timeout.toNanos();
        begin();
    }

    /** Nanoseconds; 0: none. By the owner. */
    long timeoutNanos() {
        return timeoutNanos;
    }

    /** The waiting begins, or begins anew. By the owner, before it lets others see that it waits. */
    void begin() {
        if (timeoutNanos > 0) {
            since = System.nanoTime();
        }
    }

    /** When the wait that was begun is too long, for {@link #watch}. By the owner, before it gives up the ownership. */
    long deadline() {
        return timeoutNanos > 0 ? since + timeoutNanos : 0;
    }

    /** Makes sure that the timer comes in time. After others can see that the connection waits. */
    void watch(long deadline) {
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

    /** On the timers' thread. */
    @Override
    public void run() {
        synchronized (this) {
            if (!armed || visit - System.nanoTime() > 0) {
                return; // replaced by another in this very moment
            }
            armed = false; // from here on, an owner that begins to wait sets the timer itself
            timer = null;
            if (!connection.isWaiting() || timeoutNanos == 0) {
                return;
            }
            long deadline = deadline();
            if (deadline - System.nanoTime() > 0) {
                set(deadline);
                return;
            }
        }
        connection.checkIdle();
    }

    /** True if the wait is too long already. */
    boolean isOver() {
        return timeoutNanos > 0 && since + timeoutNanos - System.nanoTime() <= 0;
    }

    synchronized void stop() {
        armed = false;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void set(long deadline) {
        visit = deadline;
        armed = true;
        timer = connection.timers().scheduleNanos(this, Math.max(1, deadline - System.nanoTime()));
    }
}
