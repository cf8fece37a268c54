package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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

    /** Called when a stream starts to wait for its peer; possibly with the {@link MuxLock} held. */
    void watch() {
        if (connection.isEnded()) {
            check();
        } else if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** Checks soon instead of periodically: the peer has ended its output, so that no wait for a window can succeed. */
    void check() {
        connection.channel().timers().scheduleNanos(this::tick, 1);
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
            if (sweep(System.nanoTime()) && scheduled.compareAndSet(false, true)) {
                schedule();
            }
        } catch (Throwable failed) {
            connection.failed(failed);
        }
    }

    /** Resets streams whose peer opens their windows too slowly or not at all. True if others are still waiting. */
    private boolean sweep(long now) {
        MuxStreams streams = connection.streams();
        MuxOutput output = connection.output();
        Map<MuxStream, IOException> stalled = new LinkedHashMap<>();
        List<MuxStream> all;
        boolean waiting = false;
        synchronized (connection.lock()) {
            all = streams.all();
            for (MuxStream each : all) {
                waiting |= output.isWaiting(each.out());
                IOException why = stall(output, each.out(), now);
                if (why != null && streams.reset(each, Fault.CANCEL, why)) {
                    stalled.put(each, why);
                }
            }
        }
        stalled.forEach((stream, why) -> streams.lose(List.of(stream), why));
        for (MuxStream each : all) {
            waiting |= each.sweep(now);
        }
        output.pump().flushElsewhere();
        return waiting;
    }

    /** Why a stream is not waited for any longer; null if it is. Called with the {@link MuxLock} held. */
    private @Nullable IOException stall(MuxOutput output, StreamOutput out, long now) {
        connection.lock().assertHeld();
        if (connection.isEnded() && output.isWaiting(out)) {
            return new StreamResetException(
                    ResetReason.CANCEL, "the peer has ended its output, and can open no flow-control window");
        }
        if (output.isOverdue(out, now - FrameClock.nanos(writeTimeout))) {
            return new StreamResetException(
                    ResetReason.TIMEOUT, "its flow-control window was closed for " + writeTimeout);
        }
        if (output.isTooSlow(out, now)) {
            connection.context().noteSlowReader(connection.transport().channel());
            return new StreamResetException(
                    ResetReason.TIMEOUT, "the peer took the response more slowly than minDownloadRate");
        }
        return null;
    }
}
