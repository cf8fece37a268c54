package io.millrace.tls.layer;

import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What came from the peer and is not decrypted yet: usually nothing, or one chunk with whole records. A record that is not
 * whole yet waits in at most two chunks. Small pieces of one are put together, so that a peer that sends byte by byte pins
 * no chunk for each.
 */
final class CipherInput {

    /** Content type, version, length (RFC 8446, 5.1). */
    private static final int HEAD = 5;

    private static final int MOST_CONTENT = 16 * 1024 + 2048;

    /** So many are kept as they came; what comes then is put together. */
    private static final int MOST_UNJOINED = 3;

    /**
     * A record takes three: two that are collected and one that completes it. A ClientHello of several records takes two
     * more, because it is not used before it is all here.
     */
    private final @Nullable Chunk[] parts = new Chunk[MOST_UNJOINED + 2];

    private final RecordBuffers records;
    private int count;
    private boolean lastIsOurs;
    private @Nullable ByteBuffer joined;

    /** @param records where records are put together */
    CipherInput(RecordBuffers records) {
        this.records = records;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes over a chunk, which is not the end. Only while no record is whole, or there are no more than 32 KiB. */
    void add(Chunk chunk, BufferPool pool) throws BufferPoolExhaustedException {
        if (!chunk.bytes().hasRemaining()) {
            chunk.release();
        } else if (count == 0 || isWholeWith(chunk)) {
            append(chunk, false);
        } else {
            collect(chunk, pool);
        }
    }

    /** The length of the record that is next, with its head; 0 if it is not all here. */
    int wholeRecord() {
        int available = available();
        if (available < HEAD) {
            return 0;
        }
        int length = recordLength(at(3), at(4), available);
        return length <= available ? length : 0;
    }

    /**
     * Takes out the next record, and gives back the chunks that are used up. The buffer is good until {@link #used}, or until
     * the next record is taken into it.
     *
     * <p>A record that lies in one chunk is copied as well: in direct memory the JDK decrypts through small arrays, and until
     * all that code is compiled it takes several times as long as on the heap.
     *
     * @param length of that record: what {@link #wholeRecord} says
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
        ByteBuffer mine = joined;
        if (mine == null) {
            mine = records.take();
            joined = mine;
        }
        return mine.clear();
    }

    /** The last record taken out was used. */
    void used() {
        ByteBuffer record = joined;
        if (record != null) {
            joined = null;
            records.giveBack(record);
        }
    }

    /** All bytes that are here. */
    int available() {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += bytes(i).remaining();
        }
        return sum;
    }

    /** One of the bytes that are here, counted from the first. */
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

    /** With its head. A length that no record may have is cut, for the engine to refuse. */
    private static int recordLength(byte high, byte low, int available) {
        int content = (high & 0xff) << 8 | (low & 0xff);
        return content > MOST_CONTENT ? Math.min(available, HEAD + MOST_CONTENT) : HEAD + content;
    }

    private boolean isWholeWith(Chunk chunk) {
        int available = available();
        int more = chunk.bytes().remaining();
        if (available + more < HEAD || count >= MOST_UNJOINED) {
            return false;
        }
        return available + more >= recordLength(peek(3, available, chunk), peek(4, available, chunk), available + more);
    }

    private byte peek(int index, int available, Chunk chunk) {
        return index < available ? at(index) : chunk.bytes().get(chunk.bytes().position() + index - available);
    }

    /** Copies a piece of a record behind what is here, into memory of our own. */
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
            pour(chunk.bytes(), bytes(count - 1));
            if (chunk.bytes().hasRemaining()) {
                Chunk next = pool.lease();
                append(next, true);
                next.bytes().flip();
                pour(chunk.bytes(), next.bytes());
            }
        } finally {
            chunk.release();
        }
    }

    /** Behind the limit of the target, which moves, as far as there is room. */
    private static void pour(ByteBuffer from, ByteBuffer to) {
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
