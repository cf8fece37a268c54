package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A leased buffer of a pool. Each lease creates a new object, so that use after release is detected instead of reading
 * or overwriting another owner's bytes, even if two threads release it at the same time.
 */
final class PooledChunk implements Chunk {

    private static final VarHandle BUFFER = AtomicField.of(MethodHandles.lookup(), "buffer", ByteBuffer.class);

    private final BufferPool pool;
    private final FreeBuffers origin;
    private final boolean forOutput;
    private @Nullable ByteBuffer buffer;

    PooledChunk(BufferPool pool, FreeBuffers origin, ByteBuffer buffer, boolean forOutput) {
        this.pool = pool;
        this.origin = origin;
        this.buffer = buffer;
        this.forOutput = forOutput;
    }

    @Override
    public ByteBuffer bytes() {
        ByteBuffer mine = buffer;
        if (mine == null) {
            throw new IllegalStateException("chunk used after its release");
        }
        return mine;
    }

    @Override
    public boolean isEnd() {
        return false;
    }

    @Override
    public void release() {
        ByteBuffer mine = (ByteBuffer) BUFFER.getAndSet(this, null);
        if (mine == null) {
            throw new IllegalStateException("chunk released twice");
        }
        pool.released(this, origin, mine, forOutput);
    }
}
