package io.millrace.tls.openssl.binding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Bytes to be encrypted, in several buffers. */
final class PlainBytes {

    /** So many bytes cost more to copy than a record of their own. */
    private static final int LARGE = 12 * 1024;

    private PlainBytes() {}

    /** The next one, if its memory can be used and it had better have a record of its own; else null. */
    static @Nullable ByteBuffer single(ByteBuffer[] buffers) {
        int first = next(buffers, 0);
        if (first == buffers.length || !buffers[first].isDirect()) {
            return null;
        }
        boolean isLast = next(buffers, first + 1) == buffers.length;
        return isLast || isLarge(buffers[first]) && !fitOneRecord(buffers) ? buffers[first] : null;
    }

    /**
     * Copies as much as there is room for, from positions that stay. Where one is large and all of them do not fit, it
     * copies no more than brings that one's rest into a record of its own: so the head of a response does not make all
     * that follows be copied.
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
