package io.millrace.exchange;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import org.jspecify.annotations.Nullable;

/** One thing that was written and waits to be sent. Told once what became of it, and then gone. */
sealed interface Piece {

    /** How many bytes of memory it takes, or is taken to take. */
    int weight();

    void done(@Nullable Throwable failure);

    /** Bytes that were copied, ready to be sent. */
    record Copied(Chunk chunk, int weight) implements Piece {
        @Override
        public void done(@Nullable Throwable failure) {
            chunk.release();
        }
    }

    /** A piece of a file. It takes no memory, but must not be free, lest a writer queue millions. */
    record File(Payload.FileRegion region, Completion completion) implements Piece {
        @Override
        public int weight() {
            return 16 * 1024;
        }

        @Override
        public void done(@Nullable Throwable failure) {
            completion.done(failure);
        }
    }
}
