package io.millrace.exchange;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long requests took: a histogram with two buckets for each doubling, from 100 µs to a minute, so that a quantile is off by less than
 * half. Thread-safe.
 */
public final class Durations {

    private static final long FIRST = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int BUCKETS = 40;

    /** The upper ends of all buckets but the last. */
    private static final long[] ENDS = new long[BUCKETS - 1];

    static {
        for (int i = 0; i < ENDS.length; i++) {
            ENDS[i] = Math.round(FIRST * Math.pow(2, i / 2.0));
        }
    }

    private final LongAdder[] counts = new LongAdder[BUCKETS];

    /** A histogram of nothing. */
    public Durations() {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** Counts one that took so many nanoseconds. */
    public void add(long nanos) {
        counts[bucket(nanos)].increment();
    }

    static int bucket(long nanos) {
        int least = 0;
        int most = ENDS.length;
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (ENDS[middle] < nanos) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        return least;
    }

    /** How many were counted. */
    public long count() {
        long sum = 0;
        for (LongAdder each : counts) {
            sum += each.sum();
        }
        return sum;
    }

    /**
     * The duration that this share of the requests did not exceed: the end of its bucket; zero if none was counted.
     *
     * @param share from 0 to 1
     */
    public Duration quantile(double share) {
        long[] now = new long[BUCKETS];
        long sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            now[i] = counts[i].sum();
            sum += now[i];
        }
        long rest = (long) Math.ceil(sum * share);
        for (int i = 0; i < BUCKETS && sum > 0; i++) {
            rest -= now[i];
            if (rest <= 0) {
                return Duration.ofNanos(ENDS[Math.min(i, ENDS.length - 1)]);
            }
        }
        return Duration.ZERO;
    }
}
