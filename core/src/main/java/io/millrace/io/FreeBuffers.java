package io.millrace.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A stack of free buffers, and the number of chunks that will return to it. */
final class FreeBuffers {

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    private int leased;

    synchronized @Nullable ByteBuffer lease() {
        ByteBuffer buffer = free.pollLast();
        if (buffer != null) {
            leased++;
        }
        return buffer;
    }

    /** Counts a buffer of another stack, or a new one, which will return to this stack. */
    synchronized void leaseForeign() {
        leased++;
    }

    /** Removes a free buffer for another stack. */
    synchronized @Nullable ByteBuffer take() {
        return free.pollLast();
    }

    void giveBack(ByteBuffer buffer) {
        buffer.clear().order(ByteOrder.BIG_ENDIAN);
        synchronized (this) {
            leased--;
            free.addLast(buffer);
        }
    }

    synchronized int leased() {
        return leased;
    }
}
