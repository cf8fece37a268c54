package io.millrace.proxy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests may be tried again at once: a fifth of those under way, and three. So a backend that is in trouble does not get
 * twice the requests because of it. Any thread.
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

    /** May one more be tried again? It counts until {@link #giveBack}. */
    boolean take() {
        if (retrying.incrementAndGet() <= ALWAYS + running.get() / SHARE) {
            return true;
        }
        giveBack();
        return false;
    }

    void giveBack() {
        retrying.decrementAndGet();
    }
}
