package io.millrace.io.socket;

import java.util.concurrent.TimeUnit;

/**
 * The rate of new connections, as a moving average. It counts as high above 20,000 a second: an acceptor should then
 * wait for several connections before it accepts them, because a wake-up for each would cost more than accepting it. A
 * millisecond without a connection ends the high rate. Confined to the acceptor's thread.
 */
final class AcceptRate {

    /** How long connections are gathered; operating systems may take up to twice as long. */
    static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long SHORT_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONG_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The last connection counts for one eighth of the average. */
    private static final int WEIGHT = 8;

    private long last = System.nanoTime() - LONG_GAP_NANOS;
    private long gap = LONG_GAP_NANOS;

    /** Records that this many connections were accepted at this {@link System#nanoTime}. */
    void record(int count, long now) {
        if (count > 0) {
            long latest = Math.min((now - last) / count, LONG_GAP_NANOS);
            gap += (latest - gap) / WEIGHT;
            last = now;
        }
    }

    /** Whether several connections should be gathered before they are accepted. */
    boolean isHigh() {
        return gap < SHORT_GAP_NANOS;
    }
}
