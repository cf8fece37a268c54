package io.millrace.io;

import java.nio.ByteBuffer;

/** A chunk that marks the end of the input. */
final class EndChunk implements Chunk {

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

    @Override
    public ByteBuffer bytes() {
        return NOTHING;
    }

    @Override
    public boolean isEnd() {
        return true;
    }

    @Override
    public void release() {
        // has no owner
    }
}
