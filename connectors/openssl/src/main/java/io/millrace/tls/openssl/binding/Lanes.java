package io.millrace.tls.openssl.binding;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The lanes of the process: never more than threads that were in the library at one moment. */
final class Lanes {

    private static final int SLOTS = 64;

    /** A thread finds the one it used last, so its connections need not change theirs. */
    private static final AtomicReferenceArray<@Nullable Lane> FREE = new AtomicReferenceArray<>(SLOTS);

    private static final Queue<Lane> MORE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger MADE = new AtomicInteger();

    private Lanes() {}

    static Lane take() {
        Lane mine = FREE.getAndSet(slot(), null);
        if (mine == null) {
            mine = MORE.poll();
        }
        if (mine == null) {
            mine = new Lane();
            MADE.incrementAndGet();
        }
        return mine;
    }

    static void giveBack(Lane lane) {
        if (!FREE.compareAndSet(slot(), null, lane)) {
            MORE.add(lane);
        }
    }

    /** Taken and not given back. */
    static int lent() {
        int free = MORE.size();
        for (int i = 0; i < SLOTS; i++) {
            free += FREE.get(i) == null ? 0 : 1;
        }
        return MADE.get() - free;
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (SLOTS - 1);
    }
}
