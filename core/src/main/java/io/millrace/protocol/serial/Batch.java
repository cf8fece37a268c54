package io.millrace.protocol.serial;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an outbox is writing: one gathering write, or three around a piece of a file. */
final class Batch {

    private final @Nullable Chunk buffer;
    private final Completion done;
    private @Nullable Payload bytes;
    private @Nullable Payload file;
    private @Nullable Payload rest;

    private Batch(@Nullable Chunk buffer, Completion done, @Nullable Payload bytes) {
        this.buffer = buffer;
        this.done = done;
        this.bytes = bytes;
    }

    /** A batch of what was collected. */
    static Batch of(Chunk buffer, Completion done) {
        return new Batch(buffer, done, Payload.of(buffer.bytes()));
    }

    /** A batch of what was collected, if anything, and a piece that was not copied. */
    static Batch of(@Nullable Chunk buffer, Piece piece) {
        if (buffer == null && piece.frameInPlace()) {
            return new Batch(null, piece.done(), piece.body());
        }
        List<ByteBuffer> gathered = new ArrayList<>(6);
        if (buffer != null) {
            gathered.add(buffer.bytes());
        }
        gathered.add(piece.before());
        if (piece.body() instanceof Payload.Bytes body) {
            gathered.addAll(List.of(body.buffers()));
            gathered.add(piece.after());
            return new Batch(buffer, piece.done(), gathered(gathered));
        }
        Batch batch = new Batch(buffer, piece.done(), gathered(gathered));
        batch.file = orNull(piece.body());
        batch.rest = orNull(Payload.of(piece.after()));
        return batch;
    }

    /** The next thing to write; null when there is no more. */
    @Nullable
    Payload next() {
        Payload next = bytes;
        if (next != null) {
            bytes = null;
            return next;
        }
        next = file;
        if (next != null) {
            file = null;
            return next;
        }
        next = rest;
        rest = null;
        return next;
    }

    /** Gives the memory back; what is not written will not be. Answers whom to tell. */
    Completion end() {
        if (buffer != null) {
            buffer.release();
        }
        return done;
    }

    private static @Nullable Payload gathered(List<ByteBuffer> buffers) {
        return orNull(new Payload.Bytes(buffers.toArray(ByteBuffer[]::new)));
    }

    private static @Nullable Payload orNull(Payload write) {
        return write.remaining() > 0 ? write : null;
    }
}
