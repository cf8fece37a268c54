package io.millrace.protocol.mux;

import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ShortageLogging;
import io.millrace.io.Turns;
import io.millrace.protocol.FlushGuard;
import io.millrace.protocol.ProtocolLog;
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
 * <p>One thread at a time pumps: it writes, calls completions, and looks for more, in a loop, so that nothing recurses. The
 * reader never writes where that might block: two peers that both write and do not read would deadlock.
 *
 * <p><b>Threads.</b> Thread-safe. Fields are guarded by the lock that it shares with its source; only {@link Source#fill},
 * {@link Source#hasMore} and {@link Source#areOthersSending} are called under it.
 */
final class OutputPump implements Completion, FlushGuard.Collector {

    /** After this many batches in a row another thread continues, since this one may serve other connections. */
    private static final int MAX_IN_A_ROW = 16;

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
    private final Object lock;
    private final Source source;

    // guarded by lock
    private final Batches batches;
    private @Nullable Thread reader;
    private boolean posted;
    private boolean guarded;
    private boolean aged;
    private @Nullable Thread pumper;
    private End end = End.NONE;
    private @Nullable Throwable brokenBy;

    // confined to the pumping thread
    private boolean ended;
    private @Nullable Throwable endedWith;

    private enum End {
        NONE,
        WANTED,
        DONE,
        CLOSED
    }

    OutputPump(
            Connection connection, Turns turns, FlushGuard guard, StreamThreads writers, Object lock, Source source) {
        this.writers = writers;
        this.connection = connection;
        this.turns = turns;
        this.guard = guard;
        this.lock = lock;
        this.source = source;
        batches = new Batches(connection.channel().buffers(), source);
    }

    // ---- with the lock held

    /** The batch that is being filled. */
    Batch open() {
        return end == End.CLOSED ? new Batch(null) : batches.open(); // output after the close is discarded
    }

    /** Whether the open batch has no room except for control frames. */
    boolean isFull() {
        return batches.isFull();
    }

    /** Whether a batch is being written. */
    boolean isWriting() {
        return batches.isWriting();
    }

    /** Ends the output after the remaining batches. */
    void finish() {
        if (end == End.NONE) {
            end = End.WANTED;
        }
    }

    /** Runs an action at the end of the current write. False, without registering it, if there is none. */
    boolean awaitRoom(Runnable action) {
        return batches.awaitRoom(action);
    }

    /** Whether nothing is sent any more. */
    boolean isClosed() {
        return end == End.CLOSED;
    }

    /** Called when the connection is closed: discards the open batch. The caller then calls {@link #flush}. */
    void close() {
        end = End.CLOSED;
        batches.drop();
    }

    /**
     * Called when encoding a frame has failed, so that the state of header compression may differ from the peer's: discards
     * the open batch; the next flush closes the connection.
     */
    void abort(Throwable why) {
        brokenBy = brokenBy == null ? why : brokenBy;
        close();
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
            if (pumper != null || leaves && brokenBy == null || isIdle()) {
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

    /** Sends pending output and calls completions, on this thread unless another one is pumping. */
    void flush() {
        Thread current = Thread.currentThread();
        synchronized (lock) {
            posted = false;
            if (pumper != null) {
                return;
            }
            pumper = current;
        }
        pump();
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

    /** Called when a write has ended. */
    @Override
    public void done(@Nullable Throwable failure) {
        if (Thread.currentThread().equals(pumper)) { // inside the call that writes: the loop continues when it returns
            ended = true;
            endedWith = failure;
            return;
        }
        Runnable room;
        synchronized (lock) {
            room = written(failure);
        }
        try {
            if (failure != null) {
                connection.close(failure);
            }
            run(room);
        } catch (Throwable thrown) {
            failed(thrown);
        }
        flush();
    }

    /** After a failure nothing is taken any more: streams must not believe that it was sent before they learn of the close. */
    private @Nullable Runnable written(@Nullable Throwable failure) {
        if (failure != null) {
            close();
        }
        return batches.written();
    }

    // ---- the loop

    private void pump() {
        int inARow = 0;
        boolean more = true;
        while (more) {
            try {
                more = step();
                if (more && ++inARow == MAX_IN_A_ROW) {
                    inARow = 0;
                    more = !handOver();
                }
            } catch (Throwable broken) {
                failed(broken);
                more = isStillPumper();
            }
        }
    }

    private boolean isStillPumper() {
        synchronized (lock) {
            return Thread.currentThread().equals(pumper);
        }
    }

    /** Lets another thread continue. False if there is none. */
    private boolean handOver() {
        synchronized (lock) {
            pumper = null;
        }
        boolean taken = false;
        try {
            taken = post();
        } finally {
            taken = taken || !resume();
        }
        return taken;
    }

    /** This thread pumps again. False if another one does. */
    private boolean resume() {
        synchronized (lock) {
            if (pumper != null) {
                return false;
            }
            pumper = Thread.currentThread();
            return true;
        }
    }

    /** Writes, or calls completions. False if there was nothing to do; this thread is then no longer pumping. */
    private boolean step() {
        Batch write = null;
        Runnable room = null;
        boolean finish = false;
        Throwable failure = null;
        Throwable broken;
        synchronized (lock) {
            broken = brokenBy;
            brokenBy = null;
            if (ended) {
                ended = false;
                failure = endedWith;
                endedWith = null;
                room = written(failure);
            }
            if (!isWriting() && end != End.CLOSED) {
                write = batches.next();
                finish = write == null && end == End.WANTED;
                end = finish ? End.DONE : end;
            }
        }
        try {
            if (broken != null) {
                failed(broken);
            }
            if (failure != null) {
                connection.close(failure);
            }
            run(room);
        } finally { // whatever is thrown, the batch is written, or fails, and is released
            if (write != null) {
                write(write);
            } else if (finish) {
                connection.finish(source::finished);
            }
        }
        return source.runCompletions() || write != null || finish || room != null || !stop();
    }

    /** Stops pumping, unless there is something to do. */
    private boolean stop() {
        synchronized (lock) {
            if (ended || brokenBy != null || !isWriting() && !isIdle()) {
                return false;
            }
            pumper = null;
            return true;
        }
    }

    /** Whether there is nothing to send now. */
    private boolean isIdle() {
        return end == End.CLOSED ? brokenBy == null : batches.filled() == null && end != End.WANTED;
    }

    private void write(Batch batch) {
        try {
            connection.write(batch.payload(), this);
        } catch (Throwable refused) { // the write has not started
            ended = true;
            endedWith = refused;
        }
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    /** Closes before logging, which may fail too: out of memory, out of file descriptors. Throws nothing. */
    private void failed(Throwable thrown) {
        try {
            try {
                connection.close(thrown);
            } finally {
                if (!(thrown instanceof IOException) && ShortageLogging.isDue(thrown)) {
                    ProtocolLog.LOG.internalError(thrown);
                }
            }
        } catch (Throwable again) {
            // out of memory, most likely: the connection is closed all the same
        }
    }
}
