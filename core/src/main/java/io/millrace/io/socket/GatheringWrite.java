package io.millrace.io.socket;

import java.nio.ByteBuffer;

/**
 * How much goes to a socket of the JDK's in one system call. Heap memory is copied on its way out, into a buffer that the JDK
 * keeps with the thread, so a large one goes out in slices.
 */
public final class GatheringWrite {

    /**
     * The most that one turn sends of one connection, so that a fast reader of a large file does not starve the others; also
     * the most of a file that one system call sends.
     */
    public static final int TURN = 2 * 1024 * 1024;

    private static final int HEAP_SLICE = 128 * 1024;

    private GatheringWrite() {}

    /** The first buffer from this one on that has something left; their number if there is none. */
    public static int skipSent(ByteBuffer[] buffers, int from) {
        int first = from;
        while (first < buffers.length && !buffers[first].hasRemaining()) {
            first++;
        }
        return first;
    }

    /** How many buffers from the first on can go out in one system call; 0 if the first is too large even alone. */
    public static int gatherable(ByteBuffer[] buffers, int first) {
        int end = first;
        while (end < buffers.length && (buffers[end].isDirect() || buffers[end].remaining() <= HEAP_SLICE)) {
            end++;
        }
        return end - first;
    }

    /** Narrows a buffer to what may go out in one system call. The answer is its own limit, to be set again afterwards. */
    public static int narrow(ByteBuffer buffer) {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + Math.min(HEAP_SLICE, buffer.remaining()));
        return limit;
    }
}
