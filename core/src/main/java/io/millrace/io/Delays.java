package io.millrace.io;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Delays in nanoseconds, for moments of {@link System#nanoTime}. That clock may show anything and runs over from the largest
 * number to the smallest, so its moments are compared by their difference, which is right only if they are less than 292
 * years apart: "for ever", said as the largest number of milliseconds, must not come before now.
 */
public final class Delays {

    /** 146 years. Two moments are that far from now at most, one in the future and one in the past. */
    public static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private Delays() {}

    /** As many nanoseconds, none if it is negative, {@link #LONGEST_NANOS} if it is longer. */
    public static long nanos(Duration delay) {
        return bounded(TimeUnit.NANOSECONDS.convert(delay));
    }

    /** The same of milliseconds. */
    public static long nanosOfMillis(long millis) {
        return bounded(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** The same of nanoseconds. */
    public static long bounded(long nanos) {
        return Math.max(0, Math.min(LONGEST_NANOS, nanos));
    }
}
