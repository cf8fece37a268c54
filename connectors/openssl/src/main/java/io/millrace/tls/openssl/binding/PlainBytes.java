package io.millrace.tls.openssl.binding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Bytes to be encrypted, in several buffers. */
final class PlainBytes {

    private PlainBytes() {}

    /** The only one that has any, or the first if it has a record's worth, if its memory can be used; else null. */
    static @Nullable ByteBuffer single(ByteBuffer[] buffers) {
        ByteBuffer found = null;
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                if (found != null) {
                    return null;
                }
                found = buffer;
                if (buffer.remaining() >= Lane.PLAIN) {
                    break;
                }
            }
        }
        return found != null && found.isDirect() ? found : null;
    }

    /** Copies as much as there is room for, from positions that stay. */
    static int gather(ByteBuffer[] buffers, ByteBuffer into) {
        int count = 0;
        for (ByteBuffer buffer : buffers) {
            int moved = Math.min(buffer.remaining(), into.capacity() - count);
            into.put(count, buffer, buffer.position(), moved);
            count += moved;
        }
        return count;
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
