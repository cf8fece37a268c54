package io.millrace.protocol.mux;

import io.millrace.io.Timers;
import io.millrace.settings.Settings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Checks periodically for streams that have timed out, with one timer for the connection, and only while a stream waits. The
 * interval is a quarter of the shortest timeout, within limits.
 *
 * <p><b>Threads.</b> Thread-safe. The check runs on the timer thread, since all workers may be waiting for these streams.
 */
final class StreamSweep {

    private static final long MIN_INTERVAL = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_INTERVAL = TimeUnit.SECONDS.toNanos(5);

    private final Timers timers;
    private final long interval;
    private final LongPredicate check;
    private final Consumer<Throwable> failed;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /**
     * The sweep of a connection.
     *
     * @param check called with the {@link System#nanoTime}; whether streams are still waiting
     * @param failed called with what the check throws
     */
    StreamSweep(Timers timers, Settings options, LongPredicate check, Consumer<Throwable> failed) {
        this.timers = timers;
        this.check = check;
        this.failed = failed;
        long shortest = Math.min(
                FrameClock.nanos(options.get(MuxOptions.STREAM_READ_TIMEOUT)),
                FrameClock.nanos(options.get(MuxOptions.STREAM_WRITE_TIMEOUT)));
        interval = Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, shortest / 4));
    }

    /** Called when a stream starts to wait for its peer. */
    void need() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** Checks soon instead of periodically. */
    void checkSoon() {
        timers.scheduleNanos(this::tick, 1);
    }

    private void schedule() {
        try {
            timers.scheduleNanos(this::tick, interval);
        } catch (Throwable thrown) {
            scheduled.set(false); // the next call tries again
            throw thrown;
        }
    }

    private void tick() {
        try {
            scheduled.set(false);
            if (check.test(System.nanoTime())) {
                need();
            }
        } catch (Throwable thrown) {
            failed.accept(thrown);
        }
    }
}
