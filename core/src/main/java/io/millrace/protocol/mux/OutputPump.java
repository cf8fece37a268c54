package io.millrace.protocol.mux;

import io.millrace.io.Connection;
import io.millrace.io.ShortageLogging;
import io.millrace.io.Turns;
import io.millrace.io.WriteLoop;
import io.millrace.log.CoreLog;
import io.millrace.protocol.FlushGuard;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a connection's batches, one at a time; while one is being written, the next is filled. Many threads send, and
 * throughput depends on how much output shares a write:
 *
 * <ul>
 *   <li>while the connection's reader reads, the output is <em>corked</em>: frames of inline handlers and control frames are
 *       flushed at the end of the read;
 *   <li>a worker with queued tasks, while other exchanges of the connection are running, leaves the flush to a task behind
 *       those. Most of them are requests that arrived in the same read, so that their responses share a write. A {@link
 *       FlushGuard} limits the delay;
 *   <li>output that is sent during a write leaves with the next batch.
 * </ul>
 *
 * <p>A {@link WriteLoop} writes and calls completions. The reader never writes where that might block: two peers that both write
 * and do not read would deadlock.
 *
 * <p><b>Threads.</b> Thread-safe. Fields are guarded by the lock that it shares with its source; only {@link Source#fill},
 * {@link Source#hasMore} and {@link Source#areOthersSending} are called under it.
 */
final class OutputPump implements WriteLoop.Owner, FlushGuard.Collector {

    /** The source of batches. */
    interface Source {

        /** Puts everything that may be sent now into the batch. Called with the lock held. */
        void fill(Batch batch);

        /** Whether {@link #fill} may have something to send. Called with the lock held. */
        boolean hasMore();

        /** Whether other exchanges may send soon, so that their output could share a write. Called with the lock held. */
        boolean areOthersSending();

        /** Calls the completions of output that is in a batch, or has failed. Called without the lock. False if there are none. */
        boolean runCompletions();

        /** Called without the lock when all output and our end were sent, after {@link #finish}. */
        void finished(@Nullable Throwable failure);
    }

    private final Connection connection;
    private final Turns turns;
    private final FlushGuard guard;
    private final StreamThreads writers;
    private final MuxLock lock;
    private final Source source;

    private final WriteLoop loop = new WriteLoop(this);

    // guarded by lock
    private @Nullable Batch open;
    private @Nullable Batch inFlight;
    private @Nullable Runnable onRoom;
    private @Nullable Thread reader;
    private boolean posted;
    private boolean guarded;
    private boolean aged;
    private End end = End.NONE;
    private @Nullable Throwable brokenBy;

    private enum End {
        NONE,
        WANTED,
        DONE,
        CLOSED
    }

    OutputPump(
            Connection connection, Turns turns, FlushGuard guard, StreamThreads writers, MuxLock lock, Source source) {
        this.writers = writers;
        this.connection = connection;
        this.turns = turns;
        this.guard = guard;
        this.lock = lock;
        this.source = source;
    }

    // ---- with the lock held

    /** The batch that is being filled. */
    Batch open() {
        lock.assertHeld();
        if (end == End.CLOSED) {
            return new Batch(null); // output after the close is discarded
        }
        Batch batch = open;
        if (batch == null) {
            batch = new Batch(connection.channel().buffers());
            open = batch;
        }
        return batch;
    }

    /** Whether the open batch has no room except for control frames. */
    boolean isFull() {
        lock.assertHeld();
        return open != null && open.isFull();
    }

    /** Whether a batch is being written. */
    boolean isWriting() {
        lock.assertHeld();
        return inFlight != null;
    }

    /** Ends the output after the remaining batches. */
    void finish() {
        lock.assertHeld();
        if (end == End.NONE) {
            end = End.WANTED;
        }
    }

    /** Runs an action at the end of the current write. False, without registering it, if there is none. */
    boolean awaitRoom(Runnable action) {
        if (!isWriting()) {
            return false;
        }
        onRoom = action;
        return true;
    }

    /** Whether nothing is sent any more. */
    boolean isClosed() {
        lock.assertHeld();
        return end == End.CLOSED;
    }

    /** Called when the connection is closed: discards the open batch. The caller then calls {@link #flush}. */
    void close() {
        lock.assertHeld();
        end = End.CLOSED;
        drop();
    }

    private void drop() {
        if (open != null) {
            open.release();
            open = null;
        }
    }

    /**
     * Called when encoding a frame has failed, so that the state of header compression may differ from the peer's: discards
     * the open batch; the next flush closes the connection.
     */
    void abort(Throwable why) {
        brokenBy = brokenBy == null ? why : brokenBy;
        close();
    }

    /** Whether there is nothing to send now. */
    private boolean isIdle() {
        boolean none = end == End.CLOSED || filled() == null && end != End.WANTED;
        return none && brokenBy == null; // which filling may have set
    }

    /** The open batch, with everything that may be sent now; null if there is nothing to send. */
    private @Nullable Batch filled() {
        lock.assertHeld();
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

    // ---- without the lock

    /** Called at the start of a read: other threads leave their flushes to the reader. */
    void cork() {
        synchronized (lock) {
            reader = Thread.currentThread();
        }
    }

    /** Called at the end of a read. */
    void uncork() {
        synchronized (lock) {
            reader = null;
            if (isIdle()) {
                return;
            }
        }
        flushElsewhere();
    }

    /** Sends pending output now, or soon together with that of other threads. */
    void flushSoon() {
        boolean post;
        boolean elsewhere;
        synchronized (lock) {
            boolean full = isFull();
            boolean leaves = isWriting() || (reader != null || posted) && !full;
            if (loop.note() || leaves && brokenBy == null || isIdle()) {
                return; // another thread sends it
            }
            elsewhere = Thread.currentThread().equals(reader);
            post = !full && !elsewhere && source.areOthersSending();
        }
        post = post && turns.areOthersWaiting();
        if (elsewhere || connection.channel().mayBlock()) { // a worker must not block on a slow peer
            flushElsewhere();
        } else if (!post || !post()) {
            flush();
        }
    }

    /**
     * Leaves the flush to a task behind those that are queued. Those may take long, or even depend on this output: the guard
     * flushes if the task has not run in time. False if the task is rejected.
     */
    private boolean post() {
        boolean unguarded;
        synchronized (lock) {
            posted = true;
            aged = false;
            unguarded = !guarded;
            guarded = true;
        }
        boolean watched = !unguarded;
        boolean taken = false;
        try {
            if (unguarded) {
                guard.watch(this);
                watched = true;
            }
            taken = turns.take(this::flush);
        } finally {
            if (!taken) {
                unpost(watched);
            }
        }
        return taken;
    }

    /** Called if the task was rejected: later output must not wait for it. */
    private void unpost(boolean watched) {
        synchronized (lock) {
            posted = false;
            guarded &= watched;
        }
    }

    /** Sends pending output from a thread that must not block on the peer: the reader's, or the timer thread. */
    void flushElsewhere() {
        if (!connection.channel().mayBlock() || !writers.take(this::flush) && !turns.take(this::flush)) {
            flush();
        }
    }

    /** Sends pending output and calls completions, on this thread unless another one does. */
    void flush() {
        loop.wake();
    }

    @Override
    public boolean age() {
        synchronized (lock) {
            guarded = posted;
            if (!posted) {
                return false;
            }
            if (!aged) {
                aged = true;
                return true;
            }
            guarded = false;
        }
        flushElsewhere();
        return false;
    }

    // ---- called by the loop

    /** Writes, or calls completions. */
    @Override
    public boolean step() {
        Batch write = null;
        boolean finish = false;
        Throwable broken;
        synchronized (lock) {
            posted = false;
            if (!isWriting() && end != End.CLOSED) {
                write = filled();
                finish = write == null && end == End.WANTED;
                end = finish ? End.DONE : end;
            }
            if (write != null) {
                open = null;
                inFlight = write;
            }
            broken = brokenBy;
            brokenBy = null;
        }
        if (write != null) {
            Batch batch = write;
            loop.begin(end -> connection.write(batch.payload(), end));
        } else if (finish) {
            connection.finish(source::finished);
        }
        if (broken != null) {
            failed(broken);
        }
        return source.runCompletions();
    }

    /** After a failure nothing is taken any more: streams must not believe that it was sent before they learn of the close. */
    @Override
    public void written(@Nullable Throwable failure) {
        Runnable room;
        synchronized (lock) {
            if (failure != null) {
                close();
            }
            Batch sent = inFlight;
            inFlight = null;
            if (sent != null) {
                sent.release();
            }
            room = onRoom;
            onRoom = null;
        }
        if (failure != null) {
            connection.close(failure);
        }
        if (room != null) {
            room.run();
        }
    }

    @Override
    public boolean handOver() {
        return post();
    }

    /** Closes before logging, which may fail too: out of memory, out of file descriptors. */
    @Override
    public void failed(Throwable thrown) {
        try {
            connection.close(thrown);
        } finally {
            if (!(thrown instanceof IOException) && ShortageLogging.isDue(thrown)) {
                CoreLog.PROTOCOL.internalError(thrown);
            }
        }
    }
}
