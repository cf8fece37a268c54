package io.millrace.servlet.filter;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/** Counts the requests of each client in the current time window. Each window begins with empty counters. Thread-safe. */
final class RequestCounts {

    /** Bounds memory: beyond this number of addresses, clients share counters. */
    static final int MAX_CLIENTS = 100_000;

    private static final int SHARED = 4096;

    private final long length;
    private final LongSupplier clock;
    private final long start;
    private volatile Window window = new Window(0);

    /**
     * No requests counted yet.
     *
     * @param length the length of a window, in nanoseconds
     * @param clock in nanoseconds
     */
    RequestCounts(long length, LongSupplier clock) {
        this.length = length;
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    /** Counts a request, and returns its number in the window. */
    int increment(String client) {
        return current((clock.getAsLong() - start) / length).increment(client);
    }

    private Window current(long number) {
        Window found = window;
        return number <= found.number ? found : begin(number);
    }

    private synchronized Window begin(long number) {
        if (number > window.number) {
            window = new Window(number);
        }
        return window;
    }

    private static final class Window {

        final long number;
        private final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();
        private final AtomicInteger clients = new AtomicInteger();
        private final AtomicIntegerArray shared = new AtomicIntegerArray(SHARED);

        Window(long number) {
            this.number = number;
        }

        int increment(String client) {
            AtomicInteger known = counts.get(client);
            if (known == null) {
                if (clients.get() >= MAX_CLIENTS) {
                    return bounded(shared.incrementAndGet(Math.floorMod(client.hashCode(), SHARED)));
                }
                known = counts.computeIfAbsent(client, unknown -> {
                    clients.incrementAndGet();
                    return new AtomicInteger();
                });
            }
            return bounded(known.incrementAndGet());
        }

        /** Keeps a counter that overflows above every limit. */
        private static int bounded(int count) {
            return count < 0 ? Integer.MAX_VALUE : count;
        }
    }
}
