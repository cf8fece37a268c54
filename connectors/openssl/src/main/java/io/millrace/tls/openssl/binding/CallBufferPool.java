package io.millrace.tls.openssl.binding;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The pool of {@link CallBuffers} of the process: never more than threads that were in the library at the same time. */
final class CallBufferPool {

    private static final int SLOTS = 64;

    /** A thread finds the one it used last, so its connections need not change theirs. */
    private static final AtomicReferenceArray<@Nullable CallBuffers> FREE = new AtomicReferenceArray<>(SLOTS);

    private static final Queue<CallBuffers> MORE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger MADE = new AtomicInteger();

    private CallBufferPool() {}

    static CallBuffers take() {
        CallBuffers mine = FREE.getAndSet(slot(), null);
        if (mine == null) {
            mine = MORE.poll();
        }
        if (mine == null) {
            mine = new CallBuffers();
            MADE.incrementAndGet();
        }
        return mine;
    }

    static void giveBack(CallBuffers buffers) {
        if (!FREE.compareAndSet(slot(), null, buffers)) {
            MORE.add(buffers);
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
