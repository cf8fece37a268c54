package io.millrace.io.socket;

import java.util.concurrent.TimeUnit;

/**
 * Whether connections come so fast, more than 20,000 a second on average, that an acceptor should let some gather before it
 * looks again. Its waking for each of them costs more then than accepting it, and whoever connects has to pay for it. A
 * millisecond without anybody ends the rush. For the acceptor's thread.
 */
final class Rush {

    /** How long some gather; systems make up to twice as much of it. */
    static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long SHORT_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONG_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The last connection counts one part of so many. */
    private static final int MEMORY = 8;

    private long last = System.nanoTime() - LONG_GAP_NANOS;
    private long gap = LONG_GAP_NANOS;

    /** So many were accepted, at this {@link System#nanoTime}. */
    void came(int count, long now) {
        if (count > 0) {
            long mine = Math.min((now - last) / count, LONG_GAP_NANOS);
            gap += (mine - gap) / MEMORY;
            last = now;
        }
    }

    /** Should some gather? */
    boolean isOn() {
        return gap < SHORT_GAP_NANOS;
    }
}
