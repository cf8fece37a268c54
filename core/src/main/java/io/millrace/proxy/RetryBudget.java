package io.millrace.proxy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits concurrent retries to a fifth of the requests in progress plus three, so that retries do not double the load of a failing
 * backend. Thread-safe.
 */
final class RetryBudget {

    private static final int ALWAYS = 3;
    private static final int SHARE = 5;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger retrying = new AtomicInteger();

    void begin() {
        running.incrementAndGet();
    }

    void end() {
        running.decrementAndGet();
    }

    /** Whether another request may be retried. It counts until {@link #release}. */
    boolean take() {
        if (retrying.incrementAndGet() <= ALWAYS + running.get() / SHARE) {
            return true;
        }
        release();
        return false;
    }

    void release() {
        retrying.decrementAndGet();
    }
}
