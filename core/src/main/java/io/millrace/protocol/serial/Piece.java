package io.millrace.protocol.serial;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;

/**
 * What is to be sent in one go: a head or chunk size, some body, the end of a chunk.
 *
 * @param done told when it was sent
 */
public record Piece(ByteBuffer before, Payload body, ByteBuffer after, Completion done) {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    /** Bytes alone. */
    public static Piece of(byte[] bytes, Completion done) {
        return new Piece(ByteBuffer.wrap(bytes), Payload.NOTHING, NOTHING, done);
    }

    /** Something and then some body. */
    public static Piece of(ByteBuffer before, Payload body, Completion done) {
        return new Piece(before, body, NOTHING, done);
    }

    /** Nothing to send: the completion is told when all that was sent before is gone. */
    public static Piece empty(Completion done) {
        return new Piece(NOTHING, Payload.NOTHING, NOTHING, done);
    }

    /** In bytes. */
    public long size() {
        return before.remaining() + body.remaining() + after.remaining();
    }
}
