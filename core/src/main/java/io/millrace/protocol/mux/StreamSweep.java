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
 * Checks periodically for streams that have timed out, with one timer for the connection, and only while a stream waits. The
 * interval is a quarter of the shortest timeout, within limits.
 *
 * <p><b>Threads.</b> Thread-safe. The check runs on the timer thread, since all workers may be waiting for these streams.
 */
final class StreamSweep {

    private static final long MIN_INTERVAL = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_INTERVAL = TimeUnit.SECONDS.toNanos(5);

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
        interval = Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, shortest / 4));
    }

    /** Called when a stream starts to wait for its peer; possibly with the output lock held. */
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
                scheduled.set(false); // the next call tries again
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

    /** Resets streams that have timed out. True if others are still waiting. */
    private boolean sweep(long now) {
        MuxStreams streams = connection.streams();
        MuxOutput output = connection.output();
        List<MuxStream> all;
        List<MuxStream> stalled = new ArrayList<>();
        boolean waiting = false;
        IOException why =
                new StreamResetException(ResetReason.TIMEOUT, "its flow-control window was closed for " + writeTimeout);
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
