package io.millrace.protocol.mux;

import io.millrace.io.ShortageLogging;
import io.millrace.protocol.ProtocolLog;
import io.millrace.settings.Settings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks from time to time for streams whose peer is too slow: one timer for a connection, and only while a stream waits. A
 * timeout is kept to a quarter of itself.
 *
 * <p><b>Threads.</b> Any may ask for it. It runs on the timers' thread: workers may all be waiting for those very streams.
 */
final class StreamSweep {

    private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MOST = TimeUnit.SECONDS.toNanos(5);

    private final MuxConnection connection;
    private final long interval;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    StreamSweep(MuxConnection connection) {
        this.connection = connection;
        Settings options = connection.context().options();
        long shortest = Math.min(
                FrameClock.nanos(options.get(MuxOptions.STREAM_READ_TIMEOUT)),
                FrameClock.nanos(options.get(MuxOptions.STREAM_WRITE_TIMEOUT)));
        interval = Math.min(MOST, Math.max(LEAST, shortest / 4));
    }

    /** A stream begins to wait for its peer. Perhaps with the output lock. */
    void watch() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void schedule() {
        boolean done = false;
        try {
            connection.channel().timers().scheduleNanos(this::tick, interval);
            done = true;
        } finally {
            if (!done) {
                scheduled.set(false); // the next who waits tries again
            }
        }
    }

    private void tick() {
        boolean waiting = true;
        try {
            scheduled.set(false);
            waiting = connection.streams().sweep(System.nanoTime());
        } catch (Throwable failed) {
            connection.transport().close(failed);
            if (ShortageLogging.isDue(failed)) {
                ProtocolLog.LOG.internalError(failed);
            }
            return;
        }
        if (waiting) {
            watch();
        }
    }
}
