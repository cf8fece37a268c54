package io.millrace.tls.layer;

import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The records of one write: consecutive in pooled chunks, regardless of chunk boundaries. */
final class CipherOutput {

    /** Three records of 16 KiB and a header: a write of 64 KiB would take the kernel twice the time per byte. */
    private static final int MOST_CHUNKS = 4;

    private final BufferPool pool;
    private final @Nullable Chunk[] chunks = new Chunk[MOST_CHUNKS + 2];
    private int count;
    private int current;

    CipherOutput(BufferPool pool) {
        this.pool = pool;
    }

    boolean isEmpty() {
        return count == 0 || bytes(0).position() == 0;
    }

    /** Is there room for a record of this size, if necessary with chunks leased now? Never beyond the pool's share for output. */
    boolean hasRoom(int size) {
        int room = 0;
        for (int i = current; i < count; i++) {
            room += bytes(i).remaining();
        }
        while (room < size && count < MOST_CHUNKS) {
            Chunk chunk = pool.tryLease();
            if (chunk == null) {
                break;
            }
            chunks[count++] = chunk;
            room += chunk.bytes().remaining();
        }
        return room >= size;
    }

    /** Appends a record. */
    void put(ByteBuffer record) throws BufferPoolExhaustedException {
        while (record.hasRemaining()) {
            ByteBuffer to = room();
            int moved = Math.min(record.remaining(), to.remaining());
            to.put(to.position(), record, record.position(), moved);
            to.position(to.position() + moved);
            record.position(record.position() + moved);
        }
    }

    /** The chunk for the next bytes: one that is not full, or a new one. */
    ByteBuffer room() throws BufferPoolExhaustedException {
        if (current < count && !bytes(current).hasRemaining()) {
            current++;
        }
        if (current == count) {
            Chunk chunk = pool.tryLease();
            chunks[count] = chunk == null ? pool.lease() : chunk; // the first record is sent in any case
            count++;
        }
        return bytes(current);
    }

    /** The payload to send. Nothing may be appended afterwards. */
    Payload payload() {
        while (count > 0 && bytes(count - 1).position() == 0) {
            releaseLast(); // leased for a record that was shorter than expected
        }
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = bytes(i).flip();
        }
        return new Payload.Bytes(buffers);
    }

    void release() {
        while (count > 0) {
            releaseLast();
        }
    }

    private void releaseLast() {
        count--;
        Chunk last = chunks[count];
        chunks[count] = null;
        if (last != null) {
            last.release();
        }
    }

    private ByteBuffer bytes(int index) {
        Chunk chunk = chunks[index];
        if (chunk == null) {
            throw new IllegalStateException("no chunk " + index + " of " + count);
        }
        return chunk.bytes();
    }
}
