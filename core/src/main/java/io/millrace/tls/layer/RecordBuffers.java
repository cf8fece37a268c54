package io.millrace.tls.layer;

import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers with room for any record, for the moment of one call of an engine: chunks of the pool are a little too small,
 * and a record may lie across two of them. No connection keeps one, so there are never more than threads that encrypt or
 * decrypt at the same moment. On the heap, where the JDK's ciphers work without copies of their own.
 */
final class RecordBuffers {

    private static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable ByteBuffer> free = new AtomicReferenceArray<>(SLOTS);

    /** An empty buffer, to be given back. */
    ByteBuffer take() {
        ByteBuffer mine = free.getAndSet(slot(), null);
        return mine == null ? ByteBuffer.allocate(TlsEngine.MOST_OUTPUT) : mine;
    }

    void giveBack(ByteBuffer buffer) {
        free.set(slot(), buffer.clear());
    }

    /** Neighbours in age, such as the threads of one pool, have slots of their own. */
    private static int slot() {
        return (int) Thread.currentThread().getId() & (SLOTS - 1);
    }
}
