package io.millrace.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** How long requests took, or other things: the histogram of {@link DurationCounts}, for many threads. Thread-safe. */
public final class Durations {

    private final LongAdder[] counts = new LongAdder[DurationCounts.BUCKETS];
    private final LongAdder nanos = new LongAdder();

    /** A histogram of nothing. */
    public Durations() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** Counts one that took so many nanoseconds. */
    public void add(long duration) {
        counts[DurationCounts.bucket(duration)].increment();
        nanos.add(duration);
    }

    /** What has been counted so far. */
    public DurationCounts read() {
        DurationCounts now = new DurationCounts();
        for (int i = 0; i < counts.length; i++) {
            now.set(i, counts[i].sum());
        }
        now.setNanos(nanos.sum());
        return now;
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
     * The duration that this share of them did not exceed: the end of its bucket; zero if none was counted.
     *
     * @param share from 0 to 1
     */
    public Duration quantile(double share) {
        return read().quantile(share);
    }
}
