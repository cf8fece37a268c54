package io.millrace.io;

import java.nio.ByteBuffer;

/** A chunk whose buffer is left to the garbage collector. */
record UnpooledChunk(ByteBuffer bytes) implements Chunk {

    @Override
    public boolean isEnd() {
        return false;
    }

    @Override
    public void release() {
        // belongs to no pool
    }
}
