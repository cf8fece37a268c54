package io.millrace.tls.layer;

import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The input that is not decrypted yet: usually nothing, or one chunk with complete records. An incomplete record is held in at
 * most two chunks. Its small pieces are copied together, so that a peer that sends single bytes does not occupy a chunk for each.
 */
final class CipherInput {

    /** Content type, version, length (RFC 8446, 5.1). */
    private static final int HEAD = 5;

    private static final int MAX_CONTENT = 16 * 1024 + 2048;

    /** The maximum number of chunks kept as received; further input is copied. */
    private static final int MAX_UNJOINED = 3;

    /**
     * A record takes three chunks: two with collected pieces and one that completes it. A ClientHello of several records takes
     * two more, because it is read only when it is complete.
     */
    private final @Nullable Chunk[] parts = new Chunk[MAX_UNJOINED + 2];

    private final RecordBuffers records;
    private int count;
    private boolean lastIsOurs;
    private @Nullable ByteBuffer joined;

    /** @param records buffers in which records are assembled */
    CipherInput(RecordBuffers records) {
        this.records = records;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes the ownership of a chunk, which is not the end. Called only while no record is complete, or at most 32 KiB are available. */
    void add(Chunk chunk, BufferPool pool) throws BufferPoolExhaustedException {
        if (!chunk.bytes().hasRemaining()) {
            chunk.release();
        } else if (count == 0 || isWholeWith(chunk)) {
            append(chunk, false);
        } else {
            collect(chunk, pool);
        }
    }

    /** The length of the next record with its header; 0 if it is incomplete. */
    int wholeRecord() {
        int available = available();
        if (available < HEAD) {
            return 0;
        }
        int length = recordLength(at(3), at(4), available);
        return length <= available ? length : 0;
    }

    /**
     * Removes the next record, and releases the chunks that are empty. The buffer is valid until {@link #used} or the next call.
     *
     * <p>A record within one chunk is copied, too: the JDK decrypts direct memory through small arrays, which takes several
     * times as long as on the heap until that code is compiled.
     *
     * @param length the result of {@link #wholeRecord}
     */
    ByteBuffer record(int length) {
        ByteBuffer record = room();
        while (record.position() < length) {
            ByteBuffer part = bytes(0);
            int moved = Math.min(part.remaining(), length - record.position());
            record.put(record.position(), part, part.position(), moved);
            record.position(record.position() + moved);
            part.position(part.position() + moved);
            if (!part.hasRemaining()) {
                removeFirst();
            }
        }
        return record.flip();
    }

    private ByteBuffer room() {
        ByteBuffer record = joined;
        if (record == null) {
            record = records.take();
            joined = record;
        }
        return record.clear();
    }

    /** Returns the buffer of the last record. */
    void used() {
        ByteBuffer record = joined;
        if (record != null) {
            joined = null;
            records.giveBack(record);
        }
    }

    /** The number of available bytes. */
    int available() {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += bytes(i).remaining();
        }
        return sum;
    }

    /** An available byte, counted from the first. */
    byte at(int index) {
        int left = index;
        for (int i = 0; i < count; i++) {
            ByteBuffer part = bytes(i);
            if (left < part.remaining()) {
                return part.get(part.position() + left);
            }
            left -= part.remaining();
        }
        throw new IndexOutOfBoundsException(index);
    }

    void release() {
        while (count > 0) {
            removeFirst();
        }
    }

    /** The length with the header. An invalid length is truncated; the engine then rejects the record. */
    private static int recordLength(byte high, byte low, int available) {
        int content = (high & 0xff) << 8 | (low & 0xff);
        return content > MAX_CONTENT ? Math.min(available, HEAD + MAX_CONTENT) : HEAD + content;
    }

    private boolean isWholeWith(Chunk chunk) {
        int available = available();
        int more = chunk.bytes().remaining();
        if (available + more < HEAD || count >= MAX_UNJOINED) {
            return false;
        }
        return available + more >= recordLength(peek(3, available, chunk), peek(4, available, chunk), available + more);
    }

    private byte peek(int index, int available, Chunk chunk) {
        return index < available ? at(index) : chunk.bytes().get(chunk.bytes().position() + index - available);
    }

    /** Copies a piece of a record behind the available bytes, into chunks of our own. */
    private void collect(Chunk chunk, BufferPool pool) throws BufferPoolExhaustedException {
        try {
            if (!lastIsOurs) {
                Chunk theirs = parts[count - 1];
                Chunk ours = pool.lease();
                ours.bytes().put(bytes(count - 1)).flip();
                parts[count - 1] = ours;
                lastIsOurs = true;
                release(theirs);
            }
            transfer(chunk.bytes(), bytes(count - 1));
            if (chunk.bytes().hasRemaining()) {
                Chunk next = pool.lease();
                append(next, true);
                next.bytes().flip();
                transfer(chunk.bytes(), next.bytes());
            }
        } finally {
            chunk.release();
        }
    }

    /** Appends as much as there is room for behind the target's limit. */
    private static void transfer(ByteBuffer from, ByteBuffer to) {
        int end = to.limit();
        int moved = Math.min(from.remaining(), to.capacity() - end);
        to.limit(end + moved);
        to.put(end, from, from.position(), moved);
        from.position(from.position() + moved);
    }

    private void append(Chunk chunk, boolean ours) {
        parts[count++] = chunk;
        lastIsOurs = ours;
    }

    private void removeFirst() {
        Chunk first = parts[0];
        count--;
        System.arraycopy(parts, 1, parts, 0, count);
        parts[count] = null;
        release(first);
    }

    private static void release(@Nullable Chunk chunk) {
        if (chunk != null) {
            chunk.release();
        }
    }

    private ByteBuffer bytes(int index) {
        Chunk part = parts[index];
        if (part == null) {
            throw new IllegalStateException("no part " + index + " of " + count);
        }
        return part.bytes();
    }
}
