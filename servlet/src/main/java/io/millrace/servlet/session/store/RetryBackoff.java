package io.millrace.servlet.session.store;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Attempts of a compare-and-set that other servers may make at the same time: for two seconds, with pauses of different lengths, so that
 * servers do not collide again. Not thread-safe.
 */
public final class RetryBackoff {

    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Attempts without a pause; then up to 1 ms, twice as much each time, to 16 ms. */
    private static final int IMMEDIATE_RETRIES = 2;

    private static final int MAX_DOUBLINGS = 4;

    private final long end = System.nanoTime() + MAX_NANOS;
    private int made;

    /** Called after an attempt that has failed. Blocks for 16 ms at most. */
    public void pause() {
        if (made >= IMMEDIATE_RETRIES) {
            long most = TimeUnit.MILLISECONDS.toNanos(1) << Math.min(made - IMMEDIATE_RETRIES, MAX_DOUBLINGS);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
        }
        made++;
    }

    /** Whether there is time for another attempt. */
    public boolean mayContinue() {
        return System.nanoTime() - end < 0;
    }
}
