package io.millrace.http1;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;

/**
 * What is to be sent in one go: a head or chunk size, some body, the end of a chunk.
 *
 * @param done told when it was sent
 */
record Piece(ByteBuffer before, Payload body, ByteBuffer after, Completion done) {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    static Piece of(byte[] bytes, Completion done) {
        return new Piece(ByteBuffer.wrap(bytes), Payload.NOTHING, NOTHING, done);
    }

    static Piece of(ByteBuffer before, Payload body, Completion done) {
        return new Piece(before, body, NOTHING, done);
    }

    /** Nothing to send: the completion is told when all that was sent before is gone. */
    static Piece empty(Completion done) {
        return new Piece(NOTHING, Payload.NOTHING, NOTHING, done);
    }

    long size() {
        return before.remaining() + body.remaining() + after.remaining();
    }
}
