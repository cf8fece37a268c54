package io.millrace.protocol.mux;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to the peer in one write: frames, one behind the other, in a few pooled chunks. Bodies are copied into it, so
 * that frame heads and bodies are contiguous: TLS makes full records of them, and the kernel gets few long buffers.
 *
 * <p><b>Threads.</b> Filled with the connection's output lock; then written by one thread, which releases it.
 */
public final class Batch {

    /** With the frames' heads three chunks stay below 64 KiB, the most that the kernel makes one segment of. */
    static final int MAX_CHUNKS = 3;

    /** A DATA frame is cut to fill up a chunk only if it holds so many octets. */
    private static final int WORTH_A_FRAME = 1024;

    private final @Nullable BufferPool pool;
    private final List<Chunk> chunks = new ArrayList<>(MAX_CHUNKS);
    private int before;

    /**
     * Empty, without memory.
     *
     * @param pool null: of memory of the heap
     */
    public Batch(@Nullable BufferPool pool) {
        this.pool = pool;
    }

    /**
     * Room for so many octets in a row: the caller puts them at the buffer's position, and moves that. Good until the next
     * call of this batch. Where the pool has lent all it may, the heap must do: what a protocol says by itself can't wait.
     *
     * @param length up to {@link BufferPool#BUFFER_SIZE}
     */
    public ByteBuffer room(int length) {
        if (chunks.isEmpty() || last().remaining() < length) {
            add(true);
        }
        return last();
    }

    /** Copies octets behind those that are here, in as many chunks as they take. */
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
     * How many octets of a body the next DATA frame may have so that it is contiguous; 0 if the batch is full, or the pool has
     * no chunk to spare.
     *
     * @param headLength of the frame
     */
    int spaceForData(int headLength) {
        int left = chunks.isEmpty() ? 0 : last().remaining() - headLength;
        if (left >= WORTH_A_FRAME) {
            return left;
        }
        if (chunks.size() >= MAX_CHUNKS || !add(chunks.isEmpty())) {
            return 0;
        }
        return last().remaining() - headLength;
    }

    /** Is there nothing in it? */
    boolean isEmpty() {
        return size() == 0;
    }

    /** Is there no room for another frame of a body that is worth one? */
    boolean isFull() {
        return chunks.size() > MAX_CHUNKS || chunks.size() == MAX_CHUNKS && last().remaining() < WORTH_A_FRAME;
    }

    /** In octets. */
    int size() {
        return before + (chunks.isEmpty() ? 0 : last().position());
    }

    /** What to write. Once, after the last octet was put. */
    public Payload payload() {
        ByteBuffer[] buffers = new ByteBuffer[chunks.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = chunks.get(i).bytes().flip();
        }
        return new Payload.Bytes(buffers);
    }

    /** Written, or never to be. Gives the memory back; the batch is empty then. */
    public void release() {
        before = 0;
        chunks.forEach(Chunk::release);
        chunks.clear();
    }

    /** One more chunk; of the heap, if it can't be done without. False if there is none. */
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
