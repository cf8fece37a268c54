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
    private final List<Payload> writes;
    private int next;

    private Batch(@Nullable Chunk buffer, Completion done, List<Payload> writes) {
        this.buffer = buffer;
        this.done = done;
        this.writes = writes;
    }

    /** A batch of what was collected. */
    static Batch of(Chunk buffer, Completion done) {
        return new Batch(buffer, done, List.of(Payload.of(buffer.bytes())));
    }

    /** A batch of what was collected, if anything, and a piece that was not copied. */
    static Batch of(@Nullable Chunk buffer, Piece piece) {
        List<ByteBuffer> gathered = new ArrayList<>(4);
        if (buffer != null) {
            gathered.add(buffer.bytes());
        }
        gathered.add(piece.before());
        List<Payload> writes = new ArrayList<>(3);
        if (piece.body() instanceof Payload.Bytes bytes) {
            gathered.addAll(List.of(bytes.buffers()));
            gathered.add(piece.after());
            add(writes, gathered(gathered));
        } else {
            add(writes, gathered(gathered));
            add(writes, piece.body());
            add(writes, Payload.of(piece.after()));
        }
        return new Batch(buffer, piece.done(), writes);
    }

    /** The next thing to write; null when there is no more. */
    @Nullable
    Payload next() {
        return next < writes.size() ? writes.get(next++) : null;
    }

    /** Gives the memory back; what is not written will not be. Answers whom to tell. */
    Completion end() {
        if (buffer != null) {
            buffer.release();
        }
        return done;
    }

    private static Payload gathered(List<ByteBuffer> buffers) {
        return new Payload.Bytes(buffers.toArray(ByteBuffer[]::new));
    }

    private static void add(List<Payload> writes, Payload write) {
        if (write.remaining() > 0) {
            writes.add(write);
        }
    }
}
