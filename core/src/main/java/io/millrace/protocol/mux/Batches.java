package io.millrace.protocol.mux;

import io.millrace.io.BufferPool;
import org.jspecify.annotations.Nullable;

/**
 * The two batches of a connection: one is filled while the other is being written. Guarded by the lock of the {@link
 * OutputPump}, which writes them. Calls only {@code hasMore} and {@code fill} of the source.
 */
final class Batches {

    private final BufferPool pool;
    private final OutputPump.Source source;
    private @Nullable Batch open;
    private @Nullable Batch inFlight;
    private @Nullable Runnable onRoom;

    Batches(BufferPool pool, OutputPump.Source source) {
        this.pool = pool;
        this.source = source;
    }

    /** The batch that is being filled. */
    Batch open() {
        Batch batch = open;
        if (batch == null) {
            batch = new Batch(pool);
            open = batch;
        }
        return batch;
    }

    /** Whether the batch that is being filled has no room except for control frames. */
    boolean isFull() {
        return open != null && open.isFull();
    }

    /** The batch that is being filled, with everything that may be sent now; null if there is nothing to send. */
    @Nullable
    Batch filled() {
        if (open == null && !source.hasMore()) {
            return null;
        }
        Batch batch = open();
        source.fill(batch);
        if (batch.isEmpty()) {
            drop();
            return null;
        }
        return batch;
    }

    /** Discards the batch that is being filled. */
    void drop() {
        if (open != null) {
            open.release();
            open = null;
        }
    }

    /** Starts the next write: returns its batch; null if there is nothing to send. Not called during a write. */
    @Nullable
    Batch next() {
        inFlight = filled();
        open = inFlight == null ? open : null;
        return inFlight;
    }

    /** Whether a batch is being written. */
    boolean isWriting() {
        return inFlight != null;
    }

    /** Registers an action for the end of the current write. False, without registering it, if there is none. */
    boolean awaitRoom(Runnable action) {
        if (inFlight == null) {
            return false;
        }
        onRoom = action;
        return true;
    }

    /** The write has ended. Returns the registered action, to be run without the lock; null if there is none. */
    @Nullable
    Runnable written() {
        Batch sent = inFlight;
        inFlight = null;
        if (sent != null) {
            sent.release();
        }
        Runnable room = onRoom;
        onRoom = null;
        return room;
    }
}
