package io.millrace.protocol.mux;

import io.millrace.io.Delays;
import io.millrace.protocol.ProtocolOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The timeouts of input, and its turns. A frame must be complete within the connection timeout, in however many pieces it arrives; the
 * timeout of the first may start with the connection. A connection without streams is idle, and has the keep-alive timeout.
 * Confined to the connection's reader.
 */
final class FrameClock {

    private static final Duration MIN_WAIT = Duration.ofMillis(1);

    /** As long as a few requests take: 16 KiB may contain hundreds, and a hundred connections may send them at once. */
    private static final long TURN_NANOS = 50_000;

    private final Duration limit;
    private final Duration keepAlive;
    private boolean within;

    /** The number of frames so far. */
    private int frames;

    /** The same before the last read. */
    private int framesBefore;

    private boolean hasTurns;

    /** When other connections come first, by {@link System#nanoTime}. */
    private long turnEnds;

    /** The number of frames when the time was last looked at. */
    private int timedFrames;

    private long since = System.nanoTime();

    FrameClock(MuxContext context, boolean within) {
        this.within = within;
        limit = context.options().get(ProtocolOptions.CONNECTION_TIMEOUT);
        keepAlive = ProtocolOptions.keepAliveTimeout(context.options());
    }

    /** Counts a frame of the peer. */
    void count() {
        frames++;
    }

    /** Whether the peer has sent a frame at all. */
    boolean hasBegun() {
        return frames > 0;
    }

    /** Called before a read. */
    void beginTurn(boolean takesTurns) {
        hasTurns = takesTurns;
        turnEnds = takesTurns ? System.nanoTime() + TURN_NANOS : 0;
    }

    /** Whether other connections of this thread come before the rest of what was read. */
    boolean isTurnOver() {
        if (!hasTurns || timedFrames == frames) {
            return false;
        }
        timedFrames = frames;
        return System.nanoTime() - turnEnds > 0;
    }

    /** Records that input was read, and whether it ends within a frame. That one has all its time if others came before it. */
    void note(boolean now) {
        if (now && (!within || frames != framesBefore)) {
            since = System.nanoTime();
        }
        within = now;
        framesBefore = frames;
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
