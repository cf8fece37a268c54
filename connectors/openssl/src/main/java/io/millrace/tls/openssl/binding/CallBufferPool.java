package io.millrace.tls.openssl.binding;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The process's pool of {@link CallBuffers}: never more than the most threads that were inside the library at once. */
final class CallBufferPool {

    private static final int SLOTS = 64;

    /** By thread: a thread gets the buffers that it used last, so its connections keep theirs attached. */
    private static final AtomicReferenceArray<@Nullable CallBuffers> FREE = new AtomicReferenceArray<>(SLOTS);

    private static final Queue<CallBuffers> MORE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger CREATED = new AtomicInteger();

    private CallBufferPool() {}

    static CallBuffers lease() {
        CallBuffers buffers = FREE.getAndSet(slot(), null);
        if (buffers == null) {
            buffers = MORE.poll();
        }
        if (buffers == null) {
            buffers = new CallBuffers();
            CREATED.incrementAndGet();
        }
        return buffers;
    }

    static void release(CallBuffers buffers) {
        if (!FREE.compareAndSet(slot(), null, buffers)) {
            MORE.add(buffers);
        }
    }

    /** The number of leased buffers. */
    static int leased() {
        int free = MORE.size();
        for (int i = 0; i < SLOTS; i++) {
            free += FREE.get(i) == null ? 0 : 1;
        }
        return CREATED.get() - free;
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (SLOTS - 1);
    }
}
