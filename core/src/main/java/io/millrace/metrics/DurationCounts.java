package io.millrace.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How many durations fell into each bucket of a histogram, and their sum: two buckets for each doubling, from 100 µs to a minute, so
 * that a quantile is off by less than half. Plain numbers, for one thread at a time; {@link Durations} is for several.
 */
public final class DurationCounts {

    private static final long FIRST = TimeUnit.MICROSECONDS.toNanos(100);
    static final int BUCKETS = 40;

    /** The upper ends of all buckets but the last. */
    private static final long[] ENDS = new long[BUCKETS - 1];

    static {
        for (int i = 0; i < ENDS.length; i++) {
            ENDS[i] = Math.round(FIRST * Math.pow(2, i / 2.0));
        }
    }

    private final long[] counts = new long[BUCKETS];
    private long nanos;

    /** A histogram of nothing. */
    public DurationCounts() {}

    /** Counts one that took so many nanoseconds. */
    public void add(long duration) {
        counts[bucket(duration)]++;
        nanos += duration;
    }

    /** Adds what another one has counted. */
    public void add(DurationCounts other) {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] += other.counts[i];
        }
        nanos += other.nanos;
    }

    void set(int bucket, long count) {
        counts[bucket] = count;
    }

    void setNanos(long sum) {
        nanos = sum;
    }

    /** The bucket of this duration. */
    static int bucket(long duration) {
        int least = 0;
        int most = ENDS.length;
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (ENDS[middle] < duration) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        return least;
    }

    /** How many are in a bucket. */
    long inBucket(int bucket) {
        return counts[bucket];
    }

    /** How many were counted. */
    public long count() {
        long sum = 0;
        for (long each : counts) {
            sum += each;
        }
        return sum;
    }

    /**
     * How many took at most so long. Exact at the ends of buckets: 100 µs, its doublings, and the geometric means between these; of other
     * buckets none is counted.
     */
    public long atMost(Duration duration) {
        long nanos = duration.toNanos();
        long sum = 0;
        for (int i = 0; i < ENDS.length && ENDS[i] <= nanos; i++) {
            sum += counts[i];
        }
        return sum;
    }

    /** The sum of the durations in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    /**
     * The duration that this share of them did not exceed: the end of its bucket; zero if none was counted.
     *
     * @param share from 0 to 1
     */
    public Duration quantile(double share) {
        long sum = count();
        long rest = (long) Math.ceil(sum * share);
        for (int i = 0; i < BUCKETS && sum > 0; i++) {
            rest -= counts[i];
            if (rest <= 0) {
                return Duration.ofNanos(ENDS[Math.min(i, ENDS.length - 1)]);
            }
        }
        return Duration.ZERO;
    }
}
