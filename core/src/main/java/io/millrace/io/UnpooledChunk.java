package io.millrace.io;

import java.nio.ByteBuffer;

/** Bytes the garbage collector takes care of. */
record UnpooledChunk(ByteBuffer bytes) implements Chunk {

    @Override
    public boolean isEnd() {
        return false;
    }

    @Override
    public void release() {
        // nothing to give back
    }
}
