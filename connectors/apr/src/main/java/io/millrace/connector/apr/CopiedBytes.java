package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends heap buffers and files through a pooled direct buffer; what the socket does not accept is copied again later. */
final class CopiedBytes {

    private CopiedBytes() {}

    /** Sends bytes of a heap buffer and moves its position. Returns their number; 0 if the socket is not writable. */
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

    /**
     * Sends several buffers as one gathering write, and moves their positions. Those on the heap, such as a head, must fit
     * together into a pooled buffer. Returns the number of bytes; 0 if the socket is not writable.
     */
    static long send(AprSocket socket, BufferPool pool, ByteBuffer[] from, int first, int count) throws IOException {
        if (isAllDirect(from, first, count)) {
            return socket.send(from, first, count);
        }
        Chunk chunk = lease(pool);
        try {
            ByteBuffer[] direct = new ByteBuffer[count];
            int used = chunk.bytes().position();
            for (int i = 0; i < count; i++) {
                ByteBuffer each = from[first + i];
                direct[i] = each.isDirect() ? each : copied(each, chunk.bytes(), used);
                used += each.isDirect() ? 0 : each.remaining();
            }
            long sent = socket.send(direct, 0, count);
            for (int i = 0; i < count; i++) {
                from[first + i].position(from[first + i].limit() - direct[i].remaining());
            }
            return sent;
        } finally {
            chunk.release();
        }
    }

    private static boolean isAllDirect(ByteBuffer[] buffers, int first, int count) {
        for (int i = first; i < first + count; i++) {
            if (!buffers[i].isDirect()) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer copied(ByteBuffer from, ByteBuffer to, int at) {
        int count = from.remaining();
        to.put(at, from, from.position(), count);
        return to.duplicate().limit(at + count).position(at);
    }

    /** Sends bytes of a file. Returns their number, less than {@code most} if the socket is full; -1 at the end of the file. */
    static long send(AprSocket socket, BufferPool pool, Payload.FileRegion from, long position, long most)
            throws IOException {
        Chunk chunk = lease(pool);
        try {
            ByteBuffer copy = chunk.bytes();
            int begin = copy.position();
            long sent = 0;
            while (sent < most) {
                copy.clear().position(begin);
                copy.limit((int) Math.min(copy.limit(), begin + most - sent));
                int read = from.file().read(copy, position + sent);
                if (read <= 0) {
                    return sent == 0 ? -1 : sent;
                }
                long taken = send(socket, copy.flip().position(begin));
                sent += taken;
                if (taken < read) {
                    return sent;
                }
            }
            return sent;
        } finally {
            chunk.release();
        }
    }

    private static long send(AprSocket socket, ByteBuffer copy) throws IOException {
        return socket.send(new ByteBuffer[] {copy}, 0, 1);
    }

    private static Chunk lease(BufferPool pool) {
        Chunk chunk = pool.tryLease();
        return chunk == null ? Chunk.wrap(ByteBuffer.allocateDirect(BufferPool.BUFFER_SIZE)) : chunk;
    }
}
