package io.millrace.testkit;

import io.millrace.io.Chunk;
import java.nio.ByteBuffer;

/** A pooled chunk whose bytes are overwritten when it is released, so that a use after release is detected. */
final class PoisonedChunk implements Chunk {

    private static final byte POISON = (byte) 0xdd;

    private final Chunk pooled;

    PoisonedChunk(Chunk pooled, byte[] content) {
        this.pooled = pooled;
        pooled.bytes().put(content).flip();
    }

    @Override
    public ByteBuffer bytes() {
        return pooled.bytes();
    }

    @Override
    public boolean isEnd() {
        return false;
    }

    @Override
    public void release() {
        ByteBuffer all = pooled.bytes().duplicate().clear();
        while (all.hasRemaining()) {
            all.put(POISON);
        }
        pooled.release();
    }
}
