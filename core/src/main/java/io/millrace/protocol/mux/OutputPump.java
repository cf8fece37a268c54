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
 * Writes a connection's batches, one at a time; while one is being written the next is filled. Many threads have something to
 * send, so what counts is how many of them share a write:
 *
 * <ul>
 *   <li>while the connection's reader reads it is <em>corked</em>: what inline handlers and the protocol itself say leaves when
 *       the reader is done;
 *   <li>a worker that knows of others waiting for it, while other exchanges of the connection run, leaves the flush to a task
 *       behind theirs, which are mostly requests that came in the same read: their responses leave together. A guard sees to it
 *       that none waits long;
 *   <li>what comes while a batch is being written leaves with the next.
 * </ul>
 *
 * <p>One thread at a time pumps: it writes, tells completions, and looks for more, in a loop, so that nothing recurses. A
 * thread that reads never writes where that might block: two peers who both write and do not read would wait for each other
 * for ever.
 *
 * <p><b>Threads.</b> Any. Fields are guarded by the lock that it shares with its source; nothing is called with it but {@link
 * Source#fill}.
 */
final class OutputPump implements Completion, FlushGuard.Collector {

    /** After so many batches in a row another thread goes on: this one may serve other connections. */
    private static final int MAX_IN_A_ROW = 16;

    /** Where batches come from. */
    interface Source {

        /** Puts what may be sent now into the batch. With the lock. */
        void fill(Batch batch);

        /** Is there anything that may be put into a batch? With the lock. */
        boolean hasMore();

        /** Are there others whose output could leave together with that of the calling thread? With the lock. */
        boolean areOthersSending();

        /** Tells those whose pieces are in a batch, or failed. Without the lock. False if there were none. */
        boolean tell();

        /** All was sent, and nothing more will be, as {@link #finish} has asked for. Without the lock. */
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

    // ---- with the lock

    /** The batch that is being filled. */
    Batch open() {
        return end == End.CLOSED ? new Batch(null) : batches.open(); // closed: it comes too late, and goes nowhere
    }

    /** Is there no room for more than what can't wait? */
    boolean isFull() {
        return batches.isFull();
    }

    /** Is a batch being written that the peer does not take? */
    boolean isWriting() {
        return batches.isWriting();
    }

    /** Nothing more will be put into a batch: after the last, our end is sent. */
    void finish() {
        if (end == End.NONE) {
            end = End.WANTED;
        }
    }

    /** Runs this once the batch under way was written. False, and it is not kept, if there is none. */
    boolean awaitRoom(Runnable action) {
        return batches.awaitRoom(action);
    }

    /** The connection is closed: what is in the open batch will not be sent. Then {@link #flush}. */
    void close() {
        end = End.CLOSED;
        batches.drop();
    }

    /**
     * A frame could not be written to its end, and the tables of header compression may not be the peer's any more: nothing of
     * the open batch is sent, and the next flush closes the connection.
     */
    void breakOff(Throwable why) {
        brokenBy = brokenBy == null ? why : brokenBy;
        close();
    }

    // ---- without the lock

    /** The connection's reader reads: others leave their flushes to it. */
    void cork() {
        synchronized (lock) {
            reader = Thread.currentThread();
        }
    }

    /** It is done. */
    void uncork() {
        synchronized (lock) {
            reader = null;
            if (isIdle()) {
                return;
            }
        }
        flushElsewhere();
    }

    /** Something was put into the open batch, or is ready for one: sent now, or soon with what others have. */
    void flushSoon() {
        boolean post;
        boolean elsewhere;
        synchronized (lock) {
            boolean full = isFull();
            boolean leaves = isWriting() || (reader != null || posted) && !full;
            if (pumper != null || leaves && brokenBy == null || isIdle()) {
                return; // it leaves with theirs
            }
            elsewhere = Thread.currentThread().equals(reader);
            post = !full && !elsewhere && source.areOthersSending();
        }
        post = post && turns.areOthersWaiting();
        if (elsewhere || connection.channel().mayBlock()) { // a worker must not wait for a peer that takes nothing
            flushElsewhere();
        } else if (!post || !post()) {
            flush();
        }
    }

    /**
     * Leaves a flush to a task behind those that wait. They may wait long, even for this very output: the guard flushes what
     * the task has not in time. False if no task is taken.
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

    /** Nobody flushes for us: what others say from now on must not wait for that. */
    private void unpost(boolean watched) {
        synchronized (lock) {
            posted = false;
            guarded &= watched;
        }
    }

    /** Sends all there is, from a thread that may not wait until the peer takes it: the reader's, or a timer's. */
    void flushElsewhere() {
        if (!connection.channel().mayBlock() || !writers.take(this::flush) && !turns.take(this::flush)) {
            flush();
        }
    }

    /** Sends all there is, and tells whoever is to be told, on this thread if no other does so already. */
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

    /** The connection has written what it was given. */
    @Override
    public void done(@Nullable Throwable failure) {
        if (Thread.currentThread().equals(pumper)) { // within the call that writes: the loop goes on when that returns
            ended = true;
            endedWith = failure;
            return;
        }
        Runnable room;
        synchronized (lock) {
            room = batches.written();
        }
        if (failure != null) {
            connection.close(failure);
        }
        run(room);
        flush();
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

    /** Another thread goes on. False if there is none. */
    private boolean handOver() {
        synchronized (lock) {
            pumper = null;
        }
        if (post()) {
            return true;
        }
        synchronized (lock) {
            if (pumper != null) {
                return true;
            }
            pumper = Thread.currentThread();
        }
        return false;
    }

    /** Writes or tells; false, and this thread does not pump any more, when there is nothing to do. */
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
                room = batches.written();
            }
            if (!isWriting() && end != End.CLOSED) {
                write = batches.next();
                finish = write == null && end == End.WANTED;
                end = finish ? End.DONE : end;
            }
        }
        if (broken != null) {
            failed(broken);
        }
        if (failure != null) {
            connection.close(failure);
        }
        run(room);
        if (write != null) {
            write(write);
        } else if (finish) {
            connection.finish(source::finished);
        }
        return source.tell() || write != null || finish || room != null || !stop();
    }

    /** Nothing was done. True if nothing is to be done either: this thread is the pumping one no more. */
    private boolean stop() {
        synchronized (lock) {
            if (ended || brokenBy != null || !isWriting() && !isIdle()) {
                return false;
            }
            pumper = null;
            return true;
        }
    }

    /** Is there nothing to be sent now? */
    private boolean isIdle() {
        return end == End.CLOSED ? brokenBy == null : batches.filled() == null && end != End.WANTED;
    }

    private void write(Batch batch) {
        try {
            connection.write(batch.payload(), this);
        } catch (Throwable refused) { // nothing of it is under way
            ended = true;
            endedWith = refused;
        }
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    /** Closed before it is logged, which may fail too: out of memory, out of descriptors. */
    private void failed(Throwable thrown) {
        connection.close(thrown);
        if (!(thrown instanceof IOException) && ShortageLogging.isDue(thrown)) {
            ProtocolLog.LOG.internalError(thrown);
        }
    }
}
