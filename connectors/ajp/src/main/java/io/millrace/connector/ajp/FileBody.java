package io.millrace.connector.ajp;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads a piece of a file, a few buffers at a time. */
final class FileBody {

    private final Payload.FileRegion region;
    private final BufferPool pool;
    private final List<Chunk> leased = new ArrayList<>(4);
    private long position;

    FileBody(Payload.FileRegion region, BufferPool pool) {
        this.region = region;
        this.pool = pool;
        position = region.position();
    }

    /** The next so many bytes, from which nothing was taken yet. */
    List<ByteBuffer> read(int size) throws IOException {
        List<ByteBuffer> read = new ArrayList<>(4);
        int missing = size;
        while (missing > 0) {
            ByteBuffer buffer = lease();
            buffer.limit(Math.min(missing, buffer.remaining()));
            fill(buffer);
            read.add(buffer.flip());
            missing -= buffer.remaining();
        }
        return read;
    }

    /** What was read is gone. */
    void release() {
        leased.forEach(Chunk::release);
        leased.clear();
    }

    private ByteBuffer lease() {
        Chunk chunk = pool.tryLease();
        Chunk mine = chunk == null ? Chunk.wrap(ByteBuffer.allocate(BufferPool.BUFFER_SIZE)) : chunk;
        leased.add(mine);
        return mine.bytes();
    }

    private void fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int count = region.file().read(buffer, position);
            if (count < 0) {
                throw new EOFException("the file is shorter than the region");
            }
            position += count;
        }
    }
}
