package io.millrace.connector.ajp;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads a piece of a file into SEND_BODY_CHUNK packets, a few buffers at a time. */
final class FileBody {

    private static final int BUFFERS = 4;

    private final Payload.FileRegion region;
    private final BufferPool pool;
    private final int mostData;
    private final List<Chunk> leased = new ArrayList<>(BUFFERS);
    private long position;

    FileBody(Payload.FileRegion region, BufferPool pool, int packetSize) {
        this.region = region;
        this.pool = pool;
        mostData = Math.min(packetSize, BufferPool.BUFFER_SIZE) - ServerPackets.CHUNK_OVERHEAD;
        position = region.position();
    }

    /** Adds packets. Answers how much of the file they hold. */
    long read(List<ByteBuffer> out, long left) throws IOException {
        long rest = left;
        for (int i = 0; i < BUFFERS && rest > 0; i++) {
            ByteBuffer buffer = lease();
            while (rest > 0 && buffer.remaining() > ServerPackets.CHUNK_OVERHEAD) {
                int room = buffer.remaining() - ServerPackets.CHUNK_OVERHEAD;
                int size = (int) Math.min(rest, Math.min(mostData, room));
                ServerPackets.chunkHead(buffer, size);
                fill(buffer, size);
                buffer.put((byte) 0);
                rest -= size;
            }
            out.add(buffer.flip());
        }
        return left - rest;
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

    private void fill(ByteBuffer buffer, int size) throws IOException {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + size);
        while (buffer.hasRemaining()) {
            int count = region.file().read(buffer, position);
            if (count < 0) {
                throw new EOFException("the file is shorter than the region");
            }
            position += count;
        }
        buffer.limit(limit);
    }
}
