package io.millrace.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One stack of free buffers, last in first out, and how many chunks are out that will come back here. */
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

    /** A buffer from elsewhere is leased in this stack's name. */
    synchronized void leaseForeign() {
        leased++;
    }

    /** A free buffer for another stack. */
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
