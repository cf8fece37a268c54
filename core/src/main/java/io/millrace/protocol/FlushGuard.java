package io.millrace.protocol;

import io.millrace.io.ShortageLogging;
import io.millrace.io.Timers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sees to it that a response that was collected does not wait long for the next one to be ready. One tick a millisecond for
 * all connections of a protocol, and only while any of them collects: a response waits for two ticks at most.
 */
public final class FlushGuard {

    /** Output that is collected, and sent together. */
    public interface Collector {

        /** A tick has passed, on the timer thread: what was here at the last one is sent. False if nothing is being collected. */
        boolean age();
    }

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Timers timers;
    private final Queue<Collector> watched = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ticking = new AtomicBoolean();

    /** One for each protocol of a connector. */
    public FlushGuard(Timers timers) {
        this.timers = timers;
    }

    /** True if it ticks by these timers. */
    public boolean isOf(Timers other) {
        return timers.equals(other);
    }

    /** Looks after output until it collects nothing any more. Any thread. */
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
                    ticking.set(false); // the next who comes tries again
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

    /** A failure is one connection's: the others' responses go out all the same. */
    private static boolean age(Collector output) {
        try {
            return output.age();
        } catch (Throwable failed) {
            if (ShortageLogging.isDue(failed)) {
                ProtocolLog.LOG.internalError(failed);
            }
            return false;
        }
    }
}
