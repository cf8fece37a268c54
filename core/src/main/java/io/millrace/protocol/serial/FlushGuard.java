package io.millrace.protocol.serial;

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
        if (ticking.compareAndSet(false, true)) {
            timers.scheduleNanos(this::tick, TICK_NANOS);
        }
    }

    private void tick() {
        watched.removeIf(outbox -> !outbox.age());
        ticking.set(false);
        if (!watched.isEmpty() && ticking.compareAndSet(false, true)) {
            timers.scheduleNanos(this::tick, TICK_NANOS);
        }
    }
}
