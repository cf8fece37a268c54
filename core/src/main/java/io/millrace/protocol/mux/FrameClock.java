package io.millrace.protocol.mux;

import io.millrace.io.Delays;
import io.millrace.protocol.ProtocolOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a frame takes to come, in however many pieces: it has to be whole within the connection timeout. The first may count from the
 * connection's begin. Confined to the connection's reader.
 */
final class FrameClock {

    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

    private final Duration limit;
    private boolean within;
    private long since = System.nanoTime();

    FrameClock(MuxContext context, boolean within) {
        this.within = within;
        limit = context.options().get(ProtocolOptions.CONNECTION_TIMEOUT);
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

    /** Is a frame incomplete? */
    boolean isWithin() {
        return within;
    }

    /** How much time the rest of it has. */
    Duration left() {
        return left(limit, since);
    }

    /** Has it had its time? */
    boolean isOver() {
        return within && isOver(limit, since);
    }

    /** What is left of a limit, at least a moment; zero is none. */
    static Duration left(Duration limit, long since) {
        if (limit.isZero()) {
            return limit;
        }
        Duration left = limit.minusNanos(System.nanoTime() - since);
        return left.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : left;
    }

    /** Has a limit passed? Zero never does. */
    static boolean isOver(Duration limit, long since) {
        return !limit.isZero() && System.nanoTime() - since >= nanos(limit) - TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A timeout in nanoseconds; zero waits for ever. */
    static long nanos(Duration timeout) {
        return timeout.isZero() ? Delays.LONGEST_NANOS : Delays.nanos(timeout);
    }
}
