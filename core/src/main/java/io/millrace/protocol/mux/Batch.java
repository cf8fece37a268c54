package io.millrace.protocol.mux;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one write, in a few pooled chunks. Bodies are copied into it, so that frame heads and bodies are contiguous:
 * TLS then fills its records, and the kernel gets few long buffers.
 *
 * <p><b>Threads.</b> Filled under the connection's {@link MuxLock}; then written by one thread, which releases it.
 */
public final class Batch {

    /** With the frames' heads, three chunks stay below 64 KiB, the maximum size of a segment that the kernel offloads. */
    static final int MAX_CHUNKS = 3;

    /** A DATA frame is split to fill a chunk only if this many octets fit. */
    private static final int MIN_SPLIT = 1024;

    private final @Nullable BufferPool pool;
    private final List<Chunk> chunks = new ArrayList<>(MAX_CHUNKS);
    private int before;

    /**
     * An empty batch without buffers.
     *
     * @param pool the buffer pool; null for heap buffers
     */
    public Batch(@Nullable BufferPool pool) {
        this.pool = pool;
    }

    /**
     * A buffer with room for this many contiguous octets: the caller writes at its position and advances that. Valid until
     * the next call of this batch. Falls back to a heap buffer if the pool is exhausted: control frames cannot wait.
     *
     * @param length up to {@link BufferPool#BUFFER_SIZE}
     */
    public ByteBuffer room(int length) {
        if (chunks.isEmpty() || last().remaining() < length) {
            add(true);
        }
        return last();
    }

    /** Appends octets, in as many chunks as needed. */
    public void put(byte[] bytes, int from, int length) {
        int at = from;
        int left = length;
        while (left > 0) {
            ByteBuffer to = room(1);
            int part = Math.min(left, to.remaining());
            to.put(bytes, at, part);
            at += part;
            left -= part;
        }
    }

    /**
     * The maximum payload of the next DATA frame that is contiguous; 0 if the batch is full or the pool exhausted.
     *
     * @param headLength the length of the frame's head
     */
    int spaceForData(int headLength) {
        int left = chunks.isEmpty() ? 0 : last().remaining() - headLength;
        if (left >= MIN_SPLIT) {
            return left;
        }
        if (chunks.size() >= MAX_CHUNKS || !add(chunks.isEmpty())) {
            return 0;
        }
        return last().remaining() - headLength;
    }

    /** Whether it has no octets. */
    boolean isEmpty() {
        return size() == 0;
    }

    /** Whether there is no room for another DATA frame of reasonable size. */
    boolean isFull() {
        return chunks.size() > MAX_CHUNKS || chunks.size() == MAX_CHUNKS && last().remaining() < MIN_SPLIT;
    }

    /** The number of octets. */
    int size() {
        return before + (chunks.isEmpty() ? 0 : last().position());
    }

    /** The octets to write. Called once, after the last octet was appended. */
    public Payload payload() {
        ByteBuffer[] buffers = new ByteBuffer[chunks.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = chunks.get(i).bytes().flip();
        }
        return new Payload.Bytes(buffers);
    }

    /** Releases the buffers, after the write or instead of it. The batch is then empty. */
    public void release() {
        before = 0;
        chunks.forEach(Chunk::release);
        chunks.clear();
    }

    /** Adds a chunk, from the heap if it is needed and the pool is exhausted. False if there is none. */
    private boolean add(boolean needed) {
        Chunk leased = pool == null ? null : pool.tryLease();
        if (leased == null && !needed) {
            return false;
        }
        before = size();
        chunks.add(leased == null ? Chunk.wrap(ByteBuffer.allocate(BufferPool.BUFFER_SIZE)) : leased);
        return true;
    }

    private ByteBuffer last() {
        return chunks.get(chunks.size() - 1).bytes();
    }
}
