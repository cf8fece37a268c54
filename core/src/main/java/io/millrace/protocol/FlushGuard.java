package io.millrace.protocol;

import io.millrace.io.ShortageLogging;
import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits how long a buffered response waits for the next one to be sent with it: at most two ticks of one millisecond.
 * One timer for all connections of a protocol, which runs only while any of them buffers a response.
 */
public final class FlushGuard {

    /** Output that buffers responses in order to send them together. */
    public interface Collector {

        /**
         * Called on the timer thread at each tick: sends what was buffered at the previous one. False if nothing is
         * buffered.
         */
        boolean age();
    }

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Timers timers;
    private final Queue<Collector> watched = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ticking = new AtomicBoolean();

    /** A guard for all connections of a protocol on one connector. */
    public FlushGuard(Timers timers) {
        this.timers = timers;
    }

    /** Whether it uses these timers. */
    public boolean isOf(Timers other) {
        return timers.equals(other);
    }

    /** Watches an output until nothing is buffered. Safe to call from any thread. */
    public void watch(Collector output) {
        watched.add(output);
        scheduleTick();
    }

    private void scheduleTick() {
        if (ticking.compareAndSet(false, true)) {
            boolean scheduled = false;
            try {
                timers.scheduleNanos(this::tick, TICK_NANOS);
                scheduled = true;
            } finally {
                if (!scheduled) {
                    ticking.set(false); // the next call tries again
                }
            }
        }
    }

    private void tick() {
        try {
            watched.removeIf(output -> !age(output));
        } finally {
            ticking.set(false);
            if (!watched.isEmpty()) {
                scheduleTick();
            }
        }
    }

    /** A failure affects one connection only: the responses of others are still sent. */
    private static boolean age(Collector output) {
        try {
            return output.age();
        } catch (Throwable failed) {
            if (ShortageLogging.isDue(failed)) {
                CoreLog.PROTOCOL.internalError(failed);
            }
            return false;
        }
    }
}
