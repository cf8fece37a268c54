package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends what is not in native memory, a pooled buffer's worth at a time; what the socket does not take is copied again. */
final class CopiedBytes {

    /** In place of a pooled buffer when there is none. */
    private static final int SPARE_BYTES = 4 * 1024;

    private CopiedBytes() {}

    /** Some of a buffer on the heap, whose position moves. How much; 0: nothing now. */
    static long send(AprSocket socket, BufferPool pool, ByteBuffer from) throws IOException {
        Chunk chunk = lease(pool);
        try {
            ByteBuffer copy = chunk.bytes();
            int count = Math.min(copy.remaining(), from.remaining());
            copy.put(copy.position(), from, from.position(), count).limit(copy.position() + count);
            long sent = send(socket, copy);
            from.position(from.position() + (int) sent);
            return sent;
        } finally {
            chunk.release();
        }
    }

    /** Some of a file. How much; 0: nothing now; -1: the file has ended. */
    static long send(AprSocket socket, BufferPool pool, Payload.FileRegion from, long position, long most)
            throws IOException {
        Chunk chunk = lease(pool);
        try {
            ByteBuffer copy = chunk.bytes();
            copy.limit((int) Math.min(copy.limit(), copy.position() + most));
            if (from.file().read(copy, position) <= 0) {
                return -1;
            }
            return send(socket, copy.flip());
        } finally {
            chunk.release();
        }
    }

    private static long send(AprSocket socket, ByteBuffer copy) throws IOException {
        return socket.send(new ByteBuffer[] {copy}, 0, 1);
    }

    private static Chunk lease(BufferPool pool) {
        Chunk chunk = pool.tryLease();
        return chunk == null ? Chunk.wrap(ByteBuffer.allocateDirect(SPARE_BYTES)) : chunk;
    }
}
