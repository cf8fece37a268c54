package io.millrace.websocket;

import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What leaves in one write: small frames are put together in one buffer, longer ones go from where they are. */
final class WriteBatch {

    /** So much goes in one write: a longer frame in several, so that a slow peer can be told from one that does not read. */
    static final int MOST_BYTES = 64 * 1024;

    private static final int MOST_BUFFERS = 64;
    private static final int SMALL = 4096;

    private final List<ByteBuffer> buffers = new ArrayList<>(2);
    private long size;

    /** The last buffer, if it is one that was made here. */
    private @Nullable ByteBuffer together;

    private boolean lastIsSmall;

    /** The frames that are complete with this batch. */
    final OutgoingQueue complete = new OutgoingQueue();

    boolean isFull() {
        return size >= MOST_BYTES || buffers.size() >= MOST_BUFFERS;
    }

    boolean isEmpty() {
        return buffers.isEmpty();
    }

    /** Adds as much of a frame as there is room for. True if that is all of it. */
    boolean add(ByteBuffer[] frame) {
        for (ByteBuffer buffer : frame) {
            int length = (int) Math.min(buffer.remaining(), MOST_BYTES - size);
            if (length > 0) {
                put(slice(buffer, length));
                size += length;
            }
            if (buffer.hasRemaining()) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer slice(ByteBuffer from, int length) {
        if (length == from.remaining()) {
            ByteBuffer all = from.duplicate();
            from.position(from.limit());
            return all;
        }
        ByteBuffer slice = from.slice(from.position(), length);
        from.position(from.position() + length);
        return slice;
    }

    /** Small ones are copied behind each other, from the second on. */
    private void put(ByteBuffer added) {
        boolean small = added.remaining() <= SMALL;
        ByteBuffer open = together;
        if (small && open != null && open.capacity() - open.limit() >= added.remaining()) {
            append(open, added);
        } else if (small && open == null && lastIsSmall) {
            ByteBuffer made = ByteBuffer.allocate(4 * SMALL).limit(0);
            append(made, buffers.get(buffers.size() - 1));
            append(made, added);
            buffers.set(buffers.size() - 1, made);
            together = made;
        } else {
            buffers.add(added);
            together = null;
            lastIsSmall = small;
        }
    }

    private static void append(ByteBuffer to, ByteBuffer added) {
        int at = to.limit();
        to.limit(at + added.remaining());
        to.put(at, added, added.position(), added.remaining());
    }

    Payload payload() {
        return new Payload.Bytes(buffers.toArray(ByteBuffer[]::new));
    }
}
