package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message that is encoded once, and compressed once, for any number of connections. Unchangeable; any thread. Its frame is made
 * when a connection first sends it, in direct memory.
 */
public final class PreparedMessage {

    private final Opcode opcode;

    /** Read only, never moved. */
    private final ByteBuffer payload;

    // both guarded by this
    private @Nullable ByteBuffer plain;
    private @Nullable ByteBuffer compressed;

    private PreparedMessage(Opcode opcode, ByteBuffer payload) {
        this.opcode = opcode;
        this.payload = payload.asReadOnlyBuffer();
    }

    /** A text message, in UTF-8; a surrogate without its partner is sent as {@code ?}. */
    public static PreparedMessage text(String message) {
        return new PreparedMessage(Opcode.TEXT, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)));
    }

    /** A binary message: a copy of the bytes from position to limit. The buffer's position is not moved. */
    public static PreparedMessage binary(ByteBuffer message) {
        ByteBuffer copy = ByteBuffer.allocate(message.remaining()).put(message.duplicate());
        return new PreparedMessage(Opcode.BINARY, copy.flip());
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
            made = FrameEncoder.encodeDirect(FrameEncoder.flags(opcode, true, false), payload);
            plain = made;
        }
        return made.duplicate();
    }

    /** A server's frame, compressed without reference to other messages: any connection with permessage-deflate can take it. */
    synchronized ByteBuffer compressed() {
        ByteBuffer made = compressed;
        if (made == null) {
            ByteBuffer deflated = MessageDeflater.compressAlone(payload.duplicate());
            made = FrameEncoder.encodeDirect(FrameEncoder.flags(opcode, true, true), deflated);
            compressed = made;
        }
        return made.duplicate();
    }
}
