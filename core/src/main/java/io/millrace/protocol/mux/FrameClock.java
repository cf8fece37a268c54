package io.millrace.protocol.mux;

import io.millrace.io.Delays;
import io.millrace.protocol.ProtocolOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The timeouts of input. A frame must be complete within the connection timeout, in however many pieces it arrives; the
 * timeout of the first may start with the connection. A connection without streams is idle, and has the keep-alive timeout.
 * Confined to the connection's reader.
 */
final class FrameClock {

    private static final Duration MIN_WAIT = Duration.ofMillis(1);

    private final Duration limit;
    private final Duration keepAlive;
    private boolean within;
    private long since = System.nanoTime();

    FrameClock(MuxContext context, boolean within) {
        this.within = within;
        limit = context.options().get(ProtocolOptions.CONNECTION_TIMEOUT);
        keepAlive = ProtocolOptions.keepAliveTimeout(context.options());
    }

    /**
     * Records that input was read.
     *
     * @param now whether it ends within a frame
     * @param others whether other frames were read before that one
     */
    void note(boolean now, boolean others) {
        if (now && (!within || others)) {
            since = System.nanoTime();
        }
        within = now;
    }

    /** The timeout of the wait for the rest of a frame or for the next one; zero for none. */
    Duration left() {
        return within ? left(limit, since) : limit;
    }

    /** The same for a connection that has had no stream since this time. */
    Duration leftWithoutStream(long emptySince) {
        Duration empty = left(emptyTimeout(), emptySince);
        Duration frame = within ? left() : Duration.ZERO;
        return empty.isZero() || !frame.isZero() && frame.compareTo(empty) < 0 ? frame : empty;
    }

    /**
     * The idle timeout of a connection without streams; zero for none. One incomplete frame may extend it, but no more: a
     * peer that keeps sending parts of frames, but never a request, is idle.
     */
    private Duration emptyTimeout() {
        return within && !keepAlive.isZero() ? keepAlive.plus(limit) : keepAlive;
    }

    /** Whether an incomplete frame has timed out. */
    boolean isOver() {
        return within && isOver(limit, since);
    }

    /** Whether a connection that has had no stream since this time is overdue. */
    boolean isOverWithoutStream(long emptySince) {
        return isOver(emptyTimeout(), emptySince);
    }

    /** The rest of a limit, at least {@link #MIN_WAIT}; zero for none. */
    private static Duration left(Duration limit, long since) {
        if (limit.isZero()) {
            return limit;
        }
        Duration left = limit.minusNanos(System.nanoTime() - since);
        return left.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : left;
    }

    /** Whether a limit has expired; zero never does. */
    private static boolean isOver(Duration limit, long since) {
        return !limit.isZero() && System.nanoTime() - since >= nanos(limit) - TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A timeout in nanoseconds; zero means none, and becomes the maximum. */
    static long nanos(Duration timeout) {
        return timeout.isZero() ? Delays.LONGEST_NANOS : Delays.nanos(timeout);
    }
}
