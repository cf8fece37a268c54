package io.millrace.protocol.mux;

import io.millrace.io.Delays;
import io.millrace.protocol.ProtocolOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long input may take. A frame, in however many pieces, has to be whole within the connection timeout; the first may count from the
 * connection's begin. A connection may be without a stream for the keep-alive timeout. Confined to the connection's reader.
 */
final class FrameClock {

    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

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
     * Something was read.
     *
     * @param now does it end within a frame?
     * @param others were other frames read before that?
     */
    void note(boolean now, boolean others) {
        if (now && (!within || others)) {
            since = System.nanoTime();
        }
        within = now;
    }

    /** How long to wait for more of a frame, or for another; zero for ever. */
    Duration left() {
        return within ? left(limit, since) : limit;
    }

    /** The same while there is no stream, since that time. */
    Duration leftWithoutStream(long emptySince) {
        Duration empty = left(emptyTimeout(), emptySince);
        Duration frame = within ? left() : Duration.ZERO;
        return empty.isZero() || !frame.isZero() && frame.compareTo(empty) < 0 ? frame : empty;
    }

    /**
     * How long the connection may have no stream; zero for ever. A frame that has begun may come to its end, but no more than one: a peer
     * that always sends the begin of another, and never a request, is idle.
     */
    private Duration emptyTimeout() {
        return within && !keepAlive.isZero() ? keepAlive.plus(limit) : keepAlive;
    }

    /** Has the frame had its time? */
    boolean isOver() {
        return within && isOver(limit, since);
    }

    /** Was the connection without a stream for too long? */
    boolean isOverWithoutStream(long emptySince) {
        return isOver(emptyTimeout(), emptySince);
    }

    /** What is left of a limit, at least a moment; zero is none. */
    private static Duration left(Duration limit, long since) {
        if (limit.isZero()) {
            return limit;
        }
        Duration left = limit.minusNanos(System.nanoTime() - since);
        return left.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : left;
    }

    /** Has a limit passed? Zero never does. */
    private static boolean isOver(Duration limit, long since) {
        return !limit.isZero() && System.nanoTime() - since >= nanos(limit) - TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A timeout in nanoseconds; zero waits for ever. */
    static long nanos(Duration timeout) {
        return timeout.isZero() ? Delays.LONGEST_NANOS : Delays.nanos(timeout);
    }
}
