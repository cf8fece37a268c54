package io.millrace.connector.nio2;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a file on its way out, some pooled buffers at a time: an asynchronous channel has no way to send a file from
 * the kernel. A peer that takes a batch at once gets a larger one next, a peer that lets us wait a smaller one; so slow
 * readers of large files hold little memory.
 */
final class FileBatch {

    private static final int MOST_BUFFERS = 8;

    private final Payload.FileRegion region;
    private final BufferPool pool;
    private final List<Chunk> chunks = new ArrayList<>(1);
    private long read;
    private int wanted = 1;

    FileBatch(Payload.FileRegion region, BufferPool pool) {
        this.region = region;
        this.pool = pool;
    }

    /**
     * Reads the next buffers' worth, over the last one, which must have been sent.
     *
     * @param waited the peer did not take the last batch at once
     * @return buffers to send; none at the end
     */
    ByteBuffer[] next(boolean waited) throws IOException {
        wanted = waited ? Math.max(1, wanted / 2) : Math.min(MOST_BUFFERS, wanted * 2);
        long left = region.remaining() - read;
        lease((int) Math.min(wanted, (left + BufferPool.BUFFER_SIZE - 1) / BufferPool.BUFFER_SIZE));
        ByteBuffer[] filled = new ByteBuffer[chunks.size()];
        for (int i = 0; i < filled.length; i++) {
            filled[i] = fill(chunks.get(i).bytes().clear());
        }
        return filled;
    }

    private void lease(int count) {
        while (chunks.size() > count) {
            chunks.remove(chunks.size() - 1).release();
        }
        while (chunks.size() < count) {
            Chunk chunk = pool.tryLease();
            if (chunk == null) {
                if (chunks.isEmpty()) { // output has used up its share of the pool; a little memory must do
                    chunks.add(Chunk.wrap(ByteBuffer.allocate(BufferPool.BUFFER_SIZE)));
                }
                return;
            }
            chunks.add(chunk);
        }
    }

    private ByteBuffer fill(ByteBuffer buffer) throws IOException {
        buffer.limit((int) Math.min(buffer.capacity(), region.remaining() - read));
        while (buffer.hasRemaining()) {
            int count = region.file().read(buffer, region.position() + read);
            if (count < 0) {
                throw new EOFException("the file ended " + (region.remaining() - read)
                        + " bytes before the end of the piece to be sent");
            }
            read += count;
        }
        return buffer.flip();
    }

    /** Gives the buffers back. Once, when nothing of them is being sent. */
    void release() {
        chunks.forEach(Chunk::release);
        chunks.clear();
    }
}
