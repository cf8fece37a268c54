package io.millrace.websocket;

import io.millrace.io.Completion;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A frame that waits to be sent, or a message that is sent in several. An element of one queue at a time; guarded by its {@link
 * FrameWriter}.
 */
final class Outgoing {

    final Completion completion;

    /** What counts as unsent. */
    final long size;

    /** Encoded; null if that is done when its turn comes, because it will refer to the messages before it. */
    ByteBuffer @Nullable [] buffers;

    /** To be compressed and encoded when its turn comes. */
    final @Nullable ByteBuffer payload;

    final int flags;

    /** The parts that have come; null if this is a single frame. */
    final @Nullable OutgoingQueue parts;

    /** Of a message in parts: no more of them come. */
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

    /** A frame that is encoded already. */
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

    /** The same, of a frame that does not count as unsent. */
    static Outgoing uncounted(Completion completion, ByteBuffer... buffers) {
        return new Outgoing(completion, 0, buffers, null, 0, null);
    }

    /** A message whose parts come one by one. */
    static Outgoing message() {
        return new Outgoing(Completion.IGNORE, 0, null, null, 0, new OutgoingQueue());
    }
}
