package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message that is encoded once, and compressed once, for any number of connections. Unchangeable; any thread. Its frame is made
 * when a connection first sends it; a long one in direct memory, which is freed some time after the message is forgotten.
 */
public final class PreparedMessage {

    /** Shorter frames are in the heap: copying them costs less than direct memory. */
    private static final int LEAST_DIRECT = 4096;

    private final Opcode opcode;

    /** Read only, never moved. */
    private final ByteBuffer payload;

    /** May frames be in direct memory? */
    private final boolean direct;

    // both guarded by this
    private @Nullable ByteBuffer plain;
    private @Nullable ByteBuffer compressed;

    private PreparedMessage(Opcode opcode, ByteBuffer payload, boolean direct) {
        this.opcode = opcode;
        this.payload = payload.asReadOnlyBuffer();
        this.direct = direct;
    }

    /** A text message, in UTF-8; a surrogate without its partner is sent as {@code ?}. */
    public static PreparedMessage text(String message) {
        return new PreparedMessage(Opcode.TEXT, utf8(message), true);
    }

    /**
     * The same for a message of which many like it are made and soon forgotten: its frames are in the heap, since direct memory is freed
     * by the garbage collector only, and so is limited by how often that runs.
     */
    public static PreparedMessage shortLived(String message) {
        return new PreparedMessage(Opcode.TEXT, utf8(message), false);
    }

    private static ByteBuffer utf8(String message) {
        return ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8));
    }

    /** A binary message: a copy of the bytes from position to limit. The buffer's position is not moved. */
    public static PreparedMessage binary(ByteBuffer message) {
        ByteBuffer copy = ByteBuffer.allocate(message.remaining()).put(message.duplicate());
        return new PreparedMessage(Opcode.BINARY, copy.flip(), true);
    }

    Opcode opcode() {
        return opcode;
    }

    /** Of the payload, octets. */
    int size() {
        return payload.remaining();
    }

    ByteBuffer payload() {
        return payload.duplicate();
    }

    /** A server's frame, uncompressed. */
    synchronized ByteBuffer plain() {
        ByteBuffer made = plain;
        if (made == null) {
            made = frame(false, payload);
            plain = made;
        }
        return made.duplicate();
    }

    /**
     * A server's frame for connections with permessage-deflate: compressed without reference to other messages, so that any of them can
     * take it, or the uncompressed one if that is no longer.
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
