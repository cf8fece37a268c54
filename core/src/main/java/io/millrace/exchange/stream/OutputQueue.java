package io.millrace.exchange.stream;

import io.millrace.exchange.ResponseSink;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What was written of a response's body and how far it is sent: decides how much may be collected, what is sent next, and who is
 * notified when there is room again, that is a blocked writer, or a callback once the stream is non-blocking. Guarded by its {@link
 * ExchangeOutputStream}, which does what is decided here, opens latches and runs callbacks without the lock; see {@link OutputState}.
 */
final class OutputQueue {

    /** Of a chunk outside the pool, when that has none left. */
    private static final int SPARE_SIZE = 8 * 1024;

    /** Collected before the response is committed of itself, unless that is set. */
    private static final int COMMIT = 32 * 1024;

    /** Collected at most before a write begins, when one array brings so much at once. */
    private static final int GATHER_MOST = 128 * 1024;

    /**
     * The most that stays unsent of a response that has outgrown the limit: its writer has to wait in any case, and memory
     * that is still in the processor's cache is sent in two thirds of the time.
     */
    private static final int STREAMING_WINDOW = 256 * 1024;

    /** Without blocking: less unsent than this and more may be written. */
    private static final int READY_BELOW = 64 * 1024;

    private final ExchangeOutputStream stream;
    private final ResponseSink sink;
    private final BufferPool pool;
    private final int limit;
    private int commitSize = COMMIT;
    private long written;

    private OutputState state = OutputState.COLLECTING;
    private @Nullable BodyWrite first;
    private @Nullable BodyWrite tail;
    private @Nullable BodyWrite underWay;
    private int weight;
    private boolean used;
    /** Nothing will be added: the end of the response follows what is queued. */
    private boolean closed;
    /** All that is queued is to be sent. */
    private boolean flushing;
    /** What is queued is to be sent, however little: no more can be collected. */
    private boolean pressed;
    /** The pool had nothing left at the last try. */
    private boolean starved;

    /** Opened when there is room again; null if no writer is blocked. */
    private @Nullable CountDownLatch latch;
    /** Non-null: no writer blocks, this is called instead. */
    private @Nullable Runnable onWritable;

    private boolean callbackOwed;

    OutputQueue(ExchangeOutputStream stream, ResponseSink sink, BufferPool pool, int limit) {
        this.stream = stream;
        this.sink = sink;
        this.pool = pool;
        this.limit = limit;
    }

    /** So much is collected before the response is committed of itself. */
    int commitSize() {
        return commitSize;
    }

    void commitSize(int bytes) {
        commitSize = bytes;
    }

    /** Bytes written so far, sent or not; forgotten ones do not count. */
    long written() {
        return written;
    }

    /** Was anything written, flushed or closed? */
    boolean isUsed() {
        return used;
    }

    /** May more be written? */
    boolean isOpen() {
        return !closed && state != OutputState.OVER;
    }

    boolean isClosed() {
        return closed;
    }

    /** Is a write under way, which is not the last one? */
    boolean isSending() {
        return state.isSending();
    }

    // ---- what was written

    /**
     * Copies what there is room for: all if the writer doesn't wait; otherwise a window beside what is being sent, or what one
     * array brings, but always as much as is promised without committing the response. Where the pool has no chunk left others
     * are made only for what is promised, and where no write is under way whose end would make room.
     *
     * @return how many bytes
     */
    int fill(byte[] bytes, int offset, int length, boolean waits) {
        int promised = sink.isCommitted() ? 0 : commitSize;
        int sending = underWay == null ? 0 : underWay.weight();
        int most = isSending() ? window() - sending : Math.max(GATHER_MOST, promised);
        int least = waits ? Math.max(promised, sending > 0 ? 0 : 1) : Integer.MAX_VALUE;
        int count = waits ? Math.min(length, most - weight) : length;
        int taken = 0;
        used = true;
        starved = false;
        while (taken < count) {
            BodyWrite to = tail != null && tail.space() > 0 ? tail : extend(least);
            if (to == null) {
                break;
            }
            int copied = to.copy(bytes, offset + taken, count - taken);
            weight += copied;
            taken += copied;
        }
        pressed = starved;
        written += taken;
        return taken;
    }

    /** One more chunk, to be filled; null if the pool has none left and that much, or more, is there. */
    private @Nullable BodyWrite extend(int least) {
        Chunk chunk = pool.tryLease();
        if (chunk == null) {
            if (weight >= least) {
                starved = true;
                return null;
            }
            chunk = Chunk.wrap(ByteBuffer.allocate(SPARE_SIZE));
        }
        BodyWrite to = tail;
        if (to == null || !to.takesChunks()) {
            to = new BodyWrite(stream);
            append(to);
        }
        to.add(chunk, written + weight == 0 ? BodyWrite.HEAD_ROOM : BodyWrite.FRAME_ROOM);
        return to;
    }

    /** Adds a byte, if that needs no other chunk. */
    boolean put(byte value) {
        if (tail == null || tail.space() == 0) {
            return false;
        }
        tail.put(value);
        weight++;
        written++;
        return true;
    }

    void add(Payload.FileRegion region, Completion completion) {
        append(new BodyWrite(stream, region, completion));
        used = true;
        written += region.remaining();
    }

    private void append(BodyWrite write) {
        BodyWrite before = tail;
        if (before == null) {
            first = write;
        } else {
            before.next = write;
        }
        tail = write;
        weight += write.weight();
    }

    /** Forgets what was written. Returns it, to be dropped without the lock. */
    @Nullable
    BodyWrite reset() {
        written = 0;
        return clear();
    }

    /** All that was written, and the head, is to be sent. */
    void flush() {
        used = true;
        flushing = first != null || !sink.isCommitted();
    }

    /** The end follows what was written. */
    void close() {
        used = true;
        closed = true;
        sink.announceLength(written);
    }

    /** Nothing will be added or sent. Returns what was queued, to be dropped without the lock. */
    @Nullable
    BodyWrite stop() {
        state = OutputState.next(state, OutputState.Event.STOP);
        return clear();
    }

    private @Nullable BodyWrite clear() {
        BodyWrite cleared = first;
        first = null;
        tail = null;
        weight = 0;
        return cleared;
    }

    // ---- what is sent

    /** Takes what is to be sent now, which the caller then sends; null if nothing is. */
    @Nullable
    BodyWrite next() {
        if (!isStartable()) {
            return null;
        }
        BodyWrite taken = first;
        if (taken == null) {
            taken = new BodyWrite(stream);
        } else {
            first = taken.next;
            taken.next = null;
            weight -= taken.weight();
        }
        if (first == null) {
            tail = null;
            flushing = false;
            taken.last = closed;
        }
        underWay = taken;
        state = OutputState.next(state, taken.last ? OutputState.Event.LAST : OutputState.Event.START);
        return taken;
    }

    boolean isStartable() {
        if (state != OutputState.COLLECTING) {
            return false;
        }
        if (closed || flushing) {
            return true;
        }
        int enough = sink.isCommitted() ? BodyWrite.FULL : commitSize;
        return first != null && (pressed || weight >= enough);
    }

    /** The call that began a write has returned. True if the write is pending, and its completion goes on. */
    @SuppressWarnings("ReferenceEquality") // this very write
    boolean isPending(BodyWrite write) {
        if (underWay != write) {
            return false;
        }
        state = OutputState.next(state, OutputState.Event.RETURN);
        return true;
    }

    /** The write under way has ended. True if it was pending: the caller continues. */
    boolean sent() {
        boolean pending = state == OutputState.WAITING;
        state = OutputState.next(state, OutputState.Event.DONE);
        underWay = null;
        return pending;
    }

    // ---- back-pressure

    /** May a writer be blocked? */
    boolean isBlocking() {
        return onWritable == null;
    }

    /** Blocks no writer from now on. */
    void onWritable(Runnable callback) {
        onWritable = callback;
    }

    /** May more be written? If not, the callback is owed. */
    boolean isReady() {
        boolean ready = hasCalmed();
        callbackOwed = !ready;
        return ready;
    }

    /** The callback if it is owed and there is room; then it is owed no longer. */
    @Nullable
    Runnable takeCallback() {
        if (!callbackOwed || !hasCalmed()) {
            return null;
        }
        callbackOwed = false;
        return onWritable;
    }

    /** The latch for a writer that has to block; null if nothing is being sent, so that it may try again. */
    @Nullable
    CountDownLatch block() {
        if (!isSending()) {
            return null;
        }
        CountDownLatch mine = latch;
        if (mine == null) {
            mine = new CountDownLatch(1);
            latch = mine;
        }
        pressed = true; // what there is is sent, however little
        return mine;
    }

    /** The latch of a blocked writer if there is room for it now; the caller opens it. */
    @Nullable
    CountDownLatch takeLatch() {
        CountDownLatch opened = latch;
        if (opened == null || !makesRoom()) {
            return null;
        }
        latch = null;
        return opened;
    }

    /**
     * Is so much gone that a waiting writer is worth waking? Then it may collect again. Not before a write is left: whoever is awake
     * earlier finds the sending thread at the locks that it needs.
     */
    private boolean makesRoom() {
        int enough = Math.min(window() / 2, BodyWrite.FULL);
        if (isSending() || state != OutputState.OVER && !starved && weight > enough) {
            return false;
        }
        pressed = starved;
        return true;
    }

    /** So much may be unsent. */
    private int window() {
        return written > limit ? Math.min(limit, STREAMING_WINDOW) : limit;
    }

    /** Is little enough unsent that a writer that does not wait may write more? */
    private boolean hasCalmed() {
        return !isSending() || weight + (underWay == null ? 0 : underWay.weight()) < READY_BELOW;
    }
}
