package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message that is encoded and compressed once, for any number of connections. Immutable; thread-safe. Its frame is
 * created when a connection first sends it; a long one in direct memory, which is freed some time after the message has
 * become unreachable.
 */
public final class PreparedMessage {

    /** Shorter frames are on the heap: copying them costs less than direct memory. */
    private static final int LEAST_DIRECT = 4096;

    private final Opcode opcode;

    /** Read-only; its position never changes. */
    private final ByteBuffer payload;

    /** Whether frames may be in direct memory. */
    private final boolean direct;

    // both guarded by this
    private @Nullable ByteBuffer plain;
    private @Nullable ByteBuffer compressed;

    private PreparedMessage(Opcode opcode, ByteBuffer payload, boolean direct) {
        this.opcode = opcode;
        this.payload = payload.asReadOnlyBuffer();
        this.direct = direct;
    }

    /** A text message, encoded in UTF-8; an unpaired surrogate is sent as {@code ?}. */
    public static PreparedMessage text(String message) {
        return new PreparedMessage(Opcode.TEXT, utf8(message), true);
    }

    /**
     * A text message whose frames are on the heap, for messages that are created at a high rate and used briefly: direct
     * memory is freed only when the garbage collector runs.
     */
    public static PreparedMessage shortLived(String message) {
        return new PreparedMessage(Opcode.TEXT, utf8(message), false);
    }

    private static ByteBuffer utf8(String message) {
        return ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8));
    }

    /** A binary message with a copy of the bytes from position to limit. The buffer's position is not changed. */
    public static PreparedMessage binary(ByteBuffer message) {
        ByteBuffer copy = ByteBuffer.allocate(message.remaining()).put(message.duplicate());
        return new PreparedMessage(Opcode.BINARY, copy.flip(), true);
    }

    Opcode opcode() {
        return opcode;
    }

    /** The length of the payload in bytes. */
    int size() {
        return payload.remaining();
    }

    ByteBuffer payload() {
        return payload.duplicate();
    }

    /** The server's frame, uncompressed. */
    synchronized ByteBuffer plain() {
        ByteBuffer made = plain;
        if (made == null) {
            made = frame(false, payload);
            plain = made;
        }
        return made.duplicate();
    }

    /**
     * The server's frame for connections with permessage-deflate: compressed without reference to other messages, so
     * that every connection can use it, or uncompressed if that is not longer.
     */
    synchronized ByteBuffer compressed() {
        ByteBuffer made = compressed;
        if (made == null) {
            ByteBuffer deflated = MessageDeflater.compressAlone(payload.duplicate());
            made = deflated.remaining() < payload.remaining() ? frame(true, deflated) : plain();
            compressed = made;
        }
        return made.duplicate();
    }

    private ByteBuffer frame(boolean isCompressed, ByteBuffer content) {
        int flags = FrameEncoder.flags(opcode, true, isCompressed);
        return FrameEncoder.encodeShared(flags, content, direct && content.remaining() >= LEAST_DIRECT);
    }
}
