package io.millrace.io;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Delays in nanoseconds, for deadlines on the clock of {@link System#nanoTime}. That clock may overflow, so that its
 * values are compared by their difference, which is correct only for times less than 292 years apart. A delay that means
 * "forever", such as the maximum number of milliseconds, must therefore be limited.
 */
public final class Delays {

    /** The maximum delay: 146 years, half of the clock's range. */
    public static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private Delays() {}

    /** The delay in nanoseconds: 0 if it is negative, at most {@link #LONGEST_NANOS}. */
    public static long nanos(Duration delay) {
        return bounded(TimeUnit.NANOSECONDS.convert(delay));
    }

    /** Milliseconds in nanoseconds: 0 if they are negative, at most {@link #LONGEST_NANOS}. */
    public static long nanosOfMillis(long millis) {
        return bounded(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** The delay limited to the range from 0 to {@link #LONGEST_NANOS}. */
    public static long bounded(long nanos) {
        return Math.max(0, Math.min(LONGEST_NANOS, nanos));
    }
}
