package io.millrace.compression;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Collects bytes in pooled chunks. */
final class ChunkOutput extends OutputStream {

    private static final int SPARE_SIZE = 8 * 1024;

    private final BufferPool pool;
    private List<Chunk> chunks = new ArrayList<>(2);

    ChunkOutput(BufferPool pool) {
        this.pool = pool;
    }

    @Override
    public void write(int value) {
        room().put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        for (int at = offset; at < offset + length; ) {
            ByteBuffer to = room();
            int count = Math.min(to.remaining(), offset + length - at);
            to.put(bytes, at, count);
            at += count;
        }
    }

    private ByteBuffer room() {
        Chunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
        if (last == null || !last.bytes().hasRemaining()) {
            Chunk leased = pool.tryLease();
            last = leased == null ? Chunk.wrap(ByteBuffer.allocate(SPARE_SIZE)) : leased;
            chunks.add(last);
        }
        return last.bytes();
    }

    /** Removes and returns the collected bytes, which the caller must release. */
    List<Chunk> take() {
        List<Chunk> taken = chunks;
        chunks = new ArrayList<>(2);
        taken.forEach(chunk -> chunk.bytes().flip());
        return taken;
    }

    static Payload payload(List<Chunk> chunks) {
        return chunks.isEmpty()
                ? Payload.NOTHING
                : new Payload.Bytes(chunks.stream().map(Chunk::bytes).toArray(ByteBuffer[]::new));
    }
}
