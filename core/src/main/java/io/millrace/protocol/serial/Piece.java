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

    /** May what comes before the body be written in front of it, into the body's own memory? */
    boolean hasHeadroom() {
        return body instanceof Payload.Bytes bytes && bytes.headroom() > 0 && bytes.headroom() >= before.remaining();
    }

    /** Writes what comes before and after the body there; false, having done nothing, if that has not the room. */
    boolean frameInPlace() {
        if (!hasHeadroom() || !(body instanceof Payload.Bytes bytes)) {
            return false;
        }
        ByteBuffer[] buffers = bytes.buffers();
        ByteBuffer last = buffers[buffers.length - 1];
        int end = last.limit();
        if (last.capacity() - end < after.remaining()) {
            return false;
        }
        last.limit(end + after.remaining());
        last.put(end, after, after.position(), after.remaining());
        ByteBuffer first = buffers[0];
        int start = first.position() - before.remaining();
        first.put(start, before, before.position(), before.remaining());
        first.position(start);
        return true;
    }

    /** In bytes. */
    public long size() {
        return before.remaining() + body.remaining() + after.remaining();
    }
}
