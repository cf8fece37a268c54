package io.millrace.websocket;

import io.millrace.io.Completion;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A pending frame, or a pending message in several frames. An element of one queue at a time; guarded by the {@link
 * WebSocketFrameWriter}.
 */
final class Outgoing {

    final Completion completion;

    /** The number of bytes that count as unsent. */
    final long size;

    /** The encoded frame; null until it is sent if it is compressed with reference to the messages before it. */
    ByteBuffer @Nullable [] buffers;

    /** To be compressed and encoded when the frame is sent; null if it is encoded already. */
    final @Nullable ByteBuffer payload;

    final int flags;

    /** The parts queued so far; null if this is a single frame. */
    final @Nullable OutgoingQueue parts;

    /** Whether the last part of a message in parts is queued. */
    boolean complete;

    @Nullable
    Outgoing next;

    private Outgoing(
            Completion completion,
            long size,
            ByteBuffer @Nullable [] buffers,
            @Nullable ByteBuffer payload,
            int flags,
            @Nullable OutgoingQueue parts) {
        this.completion = completion;
        this.size = size;
        this.buffers = buffers;
        this.payload = payload;
        this.flags = flags;
        this.parts = parts;
    }

    /** An encoded frame. */
    static Outgoing encoded(Completion completion, ByteBuffer... buffers) {
        long size = 0;
        for (ByteBuffer buffer : buffers) {
            size += buffer.remaining();
        }
        return new Outgoing(completion, size, buffers, null, 0, null);
    }

    /** A frame to be compressed with reference to those before it. */
    static Outgoing uncompressed(Completion completion, int flags, ByteBuffer payload) {
        return new Outgoing(completion, payload.remaining(), null, payload, flags, null);
    }

    /** An encoded frame that does not count as unsent. */
    static Outgoing uncounted(Completion completion, ByteBuffer... buffers) {
        return new Outgoing(completion, 0, buffers, null, 0, null);
    }

    /** A message whose parts are added one by one. */
    static Outgoing message() {
        return new Outgoing(Completion.IGNORE, 0, null, null, 0, new OutgoingQueue());
    }

    /** A FIFO queue, linked through its elements. Not thread-safe. */
    static final class OutgoingQueue {

        private @Nullable Outgoing first;
        private @Nullable Outgoing last;

        @Nullable
        Outgoing first() {
            return first;
        }

        void add(Outgoing added) {
            added.next = null;
            if (last == null) {
                first = added;
            } else {
                last.next = added;
            }
            last = added;
        }

        @Nullable
        Outgoing poll() {
            Outgoing taken = first;
            if (taken != null) {
                first = taken.next;
                taken.next = null;
                if (first == null) {
                    last = null;
                }
            }
            return taken;
        }

        boolean isEmpty() {
            return first == null;
        }
    }
}
