package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks from time to time for streams whose peer is too slow, and gives them up: one timer for a connection, and only while a stream
 * waits. A timeout is kept to a quarter of itself.
 *
 * <p><b>Threads.</b> Any may ask for it. It runs on the timers' thread: workers may all be waiting for those very streams.
 */
final class StreamSweep {

    private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MOST = TimeUnit.SECONDS.toNanos(5);

    private final MuxConnection connection;
    private final Duration writeTimeout;
    private final long interval;
    private final AtomicBoolean scheduled = new AtomicBoolean();

    StreamSweep(MuxConnection connection) {
        this.connection = connection;
        Settings options = connection.context().options();
        writeTimeout = options.get(MuxOptions.STREAM_WRITE_TIMEOUT);
        long shortest =
                Math.min(FrameClock.nanos(options.get(MuxOptions.STREAM_READ_TIMEOUT)), FrameClock.nanos(writeTimeout));
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
        try {
            scheduled.set(false);
            if (sweep(System.nanoTime())) {
                watch();
            }
        } catch (Throwable failed) {
            connection.failed(failed);
        }
    }

    /** Those streams whose peer is too slow are given up. True if others wait for it still. */
    private boolean sweep(long now) {
        MuxStreams streams = connection.streams();
        MuxOutput output = connection.output();
        List<MuxStream> all;
        List<MuxStream> stalled = new ArrayList<>();
        boolean waiting = false;
        IOException why = new StreamResetException(ResetReason.TIMEOUT, "its window stayed closed for " + writeTimeout);
        synchronized (output) {
            all = streams.all();
            for (MuxStream each : all) {
                waiting |= output.isWaiting(each.out());
                if (output.isOverdue(each.out(), now - FrameClock.nanos(writeTimeout))
                        && streams.reset(each, Fault.CANCEL, why)) {
                    stalled.add(each);
                }
            }
        }
        streams.lose(stalled, why);
        for (MuxStream each : all) {
            waiting |= each.sweep(now);
        }
        output.pump().flushElsewhere();
        return waiting;
    }
}
