package io.millrace.protocol.serial;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent in one go: a head or chunk size, some body, the end of a chunk.
 *
 * @param done runs when it was sent
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

    /** Nothing to send: the completion runs when all that was sent before is gone. */
    public static Piece empty(Completion done) {
        return new Piece(NOTHING, Payload.NOTHING, NOTHING, done);
    }

    /** May what comes before the body be written in front of it, into the body's own memory? */
    boolean hasHeadroom() {
        return body instanceof Payload.Bytes bytes && bytes.headroom() > 0 && bytes.headroom() >= before.remaining();
    }

    /** Writes what comes before and after the body there; false, having done nothing, if that has not the room. */
    private boolean frameInPlace() {
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

    /** What to write, one after the other: one gathering write, or three around a piece of a file; none if there is nothing. */
    Payload[] writes(@Nullable ByteBuffer collected) {
        if (collected == null && frameInPlace()) {
            return new Payload[] {body};
        }
        List<ByteBuffer> gathered = new ArrayList<>(6);
        if (collected != null) {
            gathered.add(collected);
        }
        gathered.add(before);
        if (body instanceof Payload.Bytes bytes) {
            gathered.addAll(List.of(bytes.buffers()));
            gathered.add(after);
            return nonEmpty(gathered(gathered));
        }
        return nonEmpty(gathered(gathered), body, Payload.of(after));
    }

    private static Payload gathered(List<ByteBuffer> buffers) {
        return new Payload.Bytes(buffers.toArray(ByteBuffer[]::new));
    }

    private static Payload[] nonEmpty(Payload... writes) {
        int count = 0;
        for (Payload write : writes) {
            if (write.remaining() > 0) {
                writes[count++] = write;
            }
        }
        return Arrays.copyOf(writes, count);
    }

    /** In bytes. */
    public long size() {
        return before.remaining() + body.remaining() + after.remaining();
    }
}
