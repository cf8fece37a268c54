package io.millrace.protocol.serial;

import io.millrace.io.ShortageLogging;
import io.millrace.io.Timers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sees to it that a response does not wait long in an outbox for the next one to be ready. One tick a millisecond for all
 * connections of a protocol, and only while any of them collects: a response waits for two ticks at most.
 */
public final class FlushGuard {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Timers timers;
    private final Queue<Outbox> watched = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ticking = new AtomicBoolean();

    /** One for each protocol of a connector. */
    public FlushGuard(Timers timers) {
        this.timers = timers;
    }

    /** Looks after an outbox until it collects nothing any more. Any thread. */
    void watch(Outbox outbox) {
        watched.add(outbox);
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
                    ticking.set(false); // the next who comes tries again
                }
            }
        }
    }

    private void tick() {
        try {
            watched.removeIf(outbox -> !age(outbox));
        } finally {
            ticking.set(false);
            if (!watched.isEmpty()) {
                scheduleTick();
            }
        }
    }

    /** A failure is one connection's: the others' responses go out all the same. */
    private static boolean age(Outbox outbox) {
        try {
            return outbox.age();
        } catch (Throwable failed) {
            if (ShortageLogging.isDue(failed)) {
                SerialLog.LOG.internalError(failed);
            }
            return false;
        }
    }
}
