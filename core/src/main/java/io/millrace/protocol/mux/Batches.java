package io.millrace.protocol.mux;

import io.millrace.io.BufferPool;
import org.jspecify.annotations.Nullable;

/**
 * A connection's two batches: one is filled while the other is being written. Guarded by the lock of their {@link OutputPump},
 * which writes; calls nothing but its source's {@code hasMore} and {@code fill}.
 */
final class Batches {

    private final BufferPool pool;
    private final OutputPump.Source source;
    private @Nullable Batch open;
    private @Nullable Batch underWay;
    private @Nullable Runnable whenRoom;

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

    /** Is there no room in it for more than what can't wait? */
    boolean isFull() {
        return open != null && open.isFull();
    }

    /** The batch that is being filled, with all that may be sent; null if that is nothing. */
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

    /** Forgets what is in the batch that is being filled. */
    void drop() {
        if (open != null) {
            open.release();
            open = null;
        }
    }

    /** Takes the batch that is to be written now; null if there is nothing to send. Only while none is being written. */
    @Nullable
    Batch next() {
        underWay = filled();
        open = underWay == null ? open : null;
        return underWay;
    }

    /** Is one being written? */
    boolean isWriting() {
        return underWay != null;
    }

    /** Keeps what is to be run once that was written. False, and it is not kept, if none is being written. */
    boolean awaitRoom(Runnable action) {
        if (underWay == null) {
            return false;
        }
        whenRoom = action;
        return true;
    }

    /** It was written, or was not. Returns what was kept to be run then, without the lock; null if nothing was. */
    @Nullable
    Runnable written() {
        Batch sent = underWay;
        underWay = null;
        if (sent != null) {
            sent.release();
        }
        Runnable room = whenRoom;
        whenRoom = null;
        return room;
    }
}
