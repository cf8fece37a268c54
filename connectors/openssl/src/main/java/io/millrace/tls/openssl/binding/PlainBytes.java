package io.millrace.tls.openssl.binding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Plaintext to be encrypted, in several buffers. */
final class PlainBytes {

    /** From this size on, copying the bytes costs more than a record of their own. */
    private static final int LARGE = 12 * 1024;

    private PlainBytes() {}

    /** The next buffer, if it is direct and should have a record of its own; otherwise null. */
    static @Nullable ByteBuffer single(ByteBuffer[] buffers) {
        int first = next(buffers, 0);
        if (first == buffers.length || !buffers[first].isDirect()) {
            return null;
        }
        boolean isLast = next(buffers, first + 1) == buffers.length;
        return isLast || isLarge(buffers[first]) && !fitOneRecord(buffers) ? buffers[first] : null;
    }

    /**
     * Copies as much as fits, without changing positions. If the buffers do not fit into one record and one of them is large,
     * only so much of it is copied that its rest gets a record of its own: the head of a response must not cause all of its
     * body to be copied.
     */
    static int gather(ByteBuffer[] buffers, ByteBuffer into) {
        boolean fit = fitOneRecord(buffers);
        int count = 0;
        for (ByteBuffer buffer : buffers) {
            boolean alone = !fit && count > 0 && buffer.isDirect() && isLarge(buffer);
            int wanted = alone ? Math.min(buffer.remaining() - LARGE, CallBuffers.PLAIN - LARGE) : buffer.remaining();
            int moved = Math.min(wanted, into.capacity() - count);
            into.put(count, buffer, buffer.position(), moved);
            count += moved;
            if (alone) {
                break;
            }
        }
        return count;
    }

    private static int next(ByteBuffer[] buffers, int from) {
        int next = from;
        while (next < buffers.length && !buffers[next].hasRemaining()) {
            next++;
        }
        return next;
    }

    private static boolean isLarge(ByteBuffer buffer) {
        return buffer.remaining() >= LARGE;
    }

    private static boolean fitOneRecord(ByteBuffer[] buffers) {
        long sum = 0;
        for (ByteBuffer buffer : buffers) {
            sum += buffer.remaining();
        }
        return sum <= CallBuffers.PLAIN;
    }

    static void advance(ByteBuffer[] buffers, int count) {
        int left = count;
        for (int i = 0; left > 0; i++) {
            int step = Math.min(left, buffers[i].remaining());
            buffers[i].position(buffers[i].position() + step);
            left -= step;
        }
    }
}
