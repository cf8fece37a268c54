package io.millrace.io.socket;

import java.nio.ByteBuffer;

/**
 * The amount of data of one system call to a JDK socket. The JDK copies heap memory into a direct buffer that it caches
 * per thread, so large heap buffers are written in slices.
 */
public final class GatheringWrite {

    /**
     * The maximum amount written to one connection in a turn, so that a fast reader of a large file does not starve
     * other connections; also the maximum amount of a file sent by one system call. In bytes.
     */
    public static final int TURN = 2 * 1024 * 1024;

    private static final int HEAP_SLICE = 128 * 1024;

    private GatheringWrite() {}

    /** The index of the first buffer from this one on that has remaining bytes; the number of buffers if there is none. */
    public static int skipSent(ByteBuffer[] buffers, int from) {
        int first = from;
        while (first < buffers.length && !buffers[first].hasRemaining()) {
            first++;
        }
        return first;
    }

    /**
     * The number of buffers, from the first one on, that one system call can write; 0 if the first is too large even by
     * itself.
     */
    public static int gatherable(ByteBuffer[] buffers, int first) {
        int end = first;
        while (end < buffers.length && (buffers[end].isDirect() || buffers[end].remaining() <= HEAP_SLICE)) {
            end++;
        }
        return end - first;
    }

    /** Limits a buffer to what one system call may write. Returns its original limit, which the caller restores afterwards. */
    public static int narrow(ByteBuffer buffer) {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + Math.min(HEAP_SLICE, buffer.remaining()));
        return limit;
    }
}
