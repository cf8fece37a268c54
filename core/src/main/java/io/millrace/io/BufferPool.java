package io.millrace.io;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers of one size, up to a hard cap. Output may lease no more than its share, so that reading can always go
 * on and slow readers of large responses cannot starve everybody else.
 */
public final class BufferPool {

    /** 16 KiB: a read's worth; one TLS record. */
    public static final int BUFFER_SIZE = 16 * 1024;

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private final int capacity;
    private final int outputCapacity;
    private int outstanding;

    /**
     * An empty pool.
     *
     * @param maxBytes the cap; rounded down to whole buffers
     */
    public BufferPool(long maxBytes) {
        capacity = (int) Math.max(1, Math.min(Integer.MAX_VALUE, maxBytes / BUFFER_SIZE));
        outputCapacity = capacity - capacity / 4;
    }

    /**
     * An empty chunk to fill ({@code position 0, limit capacity}).
     *
     * @throws BufferPoolExhaustedException at the cap
     */
    public Chunk lease() throws BufferPoolExhaustedException {
        Chunk chunk = lease(capacity);
        if (chunk == null) {
            throw new BufferPoolExhaustedException(capacity);
        }
        return chunk;
    }

    /** The same for output that can wait or shed load: null at output's share of the cap. */
    public @Nullable Chunk tryLease() {
        return lease(outputCapacity);
    }

    /** Chunks leased and not released. Zero when nothing is going on. */
    public synchronized int outstanding() {
        return outstanding;
    }

    private synchronized @Nullable Chunk lease(int limit) {
        if (outstanding >= limit) {
            return null;
        }
        outstanding++;
        ByteBuffer buffer = free.pollLast();
        return new Leased(this, buffer == null ? ByteBuffer.allocateDirect(BUFFER_SIZE) : buffer.clear());
    }

    private synchronized void giveBack(ByteBuffer buffer) {
        outstanding--;
        free.addLast(buffer);
    }

    private static final class Leased implements Chunk {
        private final BufferPool pool;
        private @Nullable ByteBuffer buffer;

        Leased(BufferPool pool, ByteBuffer buffer) {
            this.pool = pool;
            this.buffer = buffer;
        }

        @Override
        public ByteBuffer bytes() {
            if (buffer == null) {
                throw new IllegalStateException("chunk used after its release");
            }
            return buffer;
        }

        @Override
        public boolean isEnd() {
            return false;
        }

        @Override
        public void release() {
            ByteBuffer mine = bytes();
            buffer = null;
            pool.giveBack(mine);
        }
    }
}
