package io.millrace.tls.layer;

import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers with room for any record, used during one call of an engine: chunks are slightly too small, and a record may
 * extend over two of them. No connection holds one, so their number is limited by that of threads that encrypt or decrypt at the
 * same time. They are on the heap, where the JDK's ciphers make no copies. Thread-safe.
 */
final class RecordBuffers {

    private static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable ByteBuffer> free = new AtomicReferenceArray<>(SLOTS);

    /** An empty buffer. */
    ByteBuffer take() {
        ByteBuffer pooled = free.getAndSet(slot(), null);
        return pooled == null ? ByteBuffer.allocate(TlsEngine.MAX_OUTPUT) : pooled;
    }

    void giveBack(ByteBuffer buffer) {
        free.set(slot(), buffer.clear());
    }

    /** Threads with consecutive ids, such as those of one pool, use different slots. */
    private static int slot() {
        return (int) Thread.currentThread().getId() & (SLOTS - 1);
    }
}
