package io.millrace.proxy;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of request bodies that a proxy keeps in case they must be sent again, and limits them. Thread-safe. */
final class KeptBodies {

    /** A longer body is not kept. */
    static final int MAX_LENGTH = 64 * 1024;

    /** All bodies together: less of a small heap. What exceeds it is sent as it arrives, and cannot be sent again. */
    private static final long MAX_TOTAL =
            Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 16);

    private final AtomicLong total = new AtomicLong();

    /** Whether so many bytes more may be kept; they count until they are removed. */
    boolean add(int bytes) {
        if (total.addAndGet(bytes) <= MAX_TOTAL) {
            return true;
        }
        total.addAndGet(-bytes);
        return false;
    }

    void remove(int bytes) {
        total.addAndGet(-bytes);
    }
}
