package io.millrace.websocket;

import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The buffers of one write: small frames are copied into one buffer, longer ones are not copied. */
final class WriteBatch {

    /** The bytes of one write. A longer frame takes several, so that the send timeout distinguishes a slow peer from one that does not read. */
    static final int MAX_BYTES = 64 * 1024;

    private static final int MAX_BUFFERS = 64;
    private static final int SMALL = 4096;

    private final List<ByteBuffer> buffers = new ArrayList<>(2);
    private long size;

    /** The last buffer, if it is one of copied frames; otherwise null. */
    private @Nullable ByteBuffer together;

    private boolean lastIsSmall;

    /** The frames whose last byte is in this batch. */
    final Outgoing.OutgoingQueue complete = new Outgoing.OutgoingQueue();

    boolean isFull() {
        return size >= MAX_BYTES || buffers.size() >= MAX_BUFFERS;
    }

    boolean isEmpty() {
        return buffers.isEmpty();
    }

    /** Adds as much of a frame as there is room for. True if the whole frame was added. */
    boolean add(ByteBuffer[] frame) {
        for (ByteBuffer buffer : frame) {
            int length = (int) Math.min(buffer.remaining(), MAX_BYTES - size);
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

    /** Copies consecutive small buffers into one. */
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
