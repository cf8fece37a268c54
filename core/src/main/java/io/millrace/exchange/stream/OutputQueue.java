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
 * The queue of written and unsent bytes of a response: decides how much is buffered, what is sent next, and when a blocked
 * writer, or the callback of a non-blocking stream, is notified that there is room again. It is the lock of its {@link
 * ExchangeOutputStream}, which sends, opens latches and runs callbacks without holding it; see {@link OutputState}.
 */
final class OutputQueue {

    /** The size of a heap buffer that is used if the pool is exhausted. */
    private static final int HEAP_BUFFER_SIZE = 8 * 1024;

    /** The default number of bytes that are buffered before the response is committed. */
    private static final int DEFAULT_COMMIT_SIZE = 32 * 1024;

    /** The maximum number of bytes that are copied from one array before a write begins. */
    private static final int MAX_GATHERED = 128 * 1024;

    /**
     * The maximum number of unsent bytes of a response that has exceeded the limit: its writer must wait in any case, and
     * memory that is still in the processor's cache is sent in two thirds of the time.
     */
    private static final int STREAMING_WINDOW = 256 * 1024;

    /**
     * The same while more than half of the pool is lent, so that the slow responses of one client, a hundred on a connection,
     * do not use up what those of others need.
     */
    private static final int SCARCE_WINDOW = 64 * 1024;

    /** A non-blocking stream is ready while fewer bytes than this are unsent. */
    private static final int READY_BELOW = 64 * 1024;

    private final ExchangeOutputStream stream;
    private final ResponseSink sink;
    private final BufferPool pool;
    private final int limit;
    private int commitSize = DEFAULT_COMMIT_SIZE;
    private long written;

    private OutputState state = OutputState.COLLECTING;
    private @Nullable BodyWrite first;
    private @Nullable BodyWrite tail;
    private @Nullable BodyWrite inFlight;
    private int weight;
    private boolean used;
    /** No more bytes will be written: the end of the response follows the queued bytes. */
    private boolean closed;
    /** All queued bytes must be sent. */
    private boolean flushing;
    /** Even a small number of queued bytes must be sent, since no more can be buffered. */
    private boolean pressed;
    /** The pool was exhausted at the last attempt. */
    private boolean starved;

    /** Opened when there is room again; null if no writer is blocked. */
    private @Nullable CountDownLatch latch;
    /** The callback of a non-blocking stream; null if writers may block. */
    private @Nullable Runnable onWritable;

    private boolean callbackOwed;

    OutputQueue(ExchangeOutputStream stream, ResponseSink sink, BufferPool pool, int limit) {
        this.stream = stream;
        this.sink = sink;
        this.pool = pool;
        this.limit = limit;
    }

    /** The number of bytes that are buffered before the response is committed. */
    int commitSize() {
        return commitSize;
    }

    void commitSize(int bytes) {
        commitSize = bytes;
    }

    /** The number of bytes written so far, sent or not, except those discarded by {@link #reset}. */
    long written() {
        return written;
    }

    /** Whether the stream was written, flushed or closed. */
    boolean isUsed() {
        return used;
    }

    /** Whether more may be written. */
    boolean isOpen() {
        return !closed && state != OutputState.OVER;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether a write other than the last one is in progress. */
    boolean isSending() {
        return state.isSending();
    }

    // ---- writing

    /**
     * Copies as many bytes as there is room for: all of a non-blocking writer; otherwise up to the window, or a part of the
     * array, but at least the commit size before the response is committed. If the pool is exhausted, heap buffers are used
     * only for the commit size, and while no write is in progress whose end would make room.
     *
     * @return the number of bytes
     */
    int fill(byte[] bytes, int offset, int length, boolean mayBlock) {
        int promised = sink.isCommitted() ? 0 : commitSize;
        int sending = inFlight == null ? 0 : inFlight.weight();
        int max = isSending() ? window() - sending : Math.max(MAX_GATHERED, promised);
        int min = mayBlock ? Math.max(promised, sending > 0 ? 0 : 1) : Integer.MAX_VALUE;
        int count = mayBlock ? Math.min(length, max - weight) : length;
        int taken = 0;
        used = true;
        starved = false;
        while (taken < count) {
            BodyWrite to = tail != null && tail.space() > 0 ? tail : extend(min);
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

    /** Adds a chunk; null if the pool is exhausted and at least this many bytes are queued. */
    private @Nullable BodyWrite extend(int min) {
        Chunk chunk = pool.tryLease();
        if (chunk == null) {
            if (weight >= min) {
                starved = true;
                return null;
            }
            chunk = Chunk.wrap(ByteBuffer.allocate(HEAP_BUFFER_SIZE));
        }
        BodyWrite to = tail;
        if (to == null || !to.takesChunks()) {
            to = new BodyWrite(stream);
            append(to);
        }
        to.add(chunk, written + weight == 0 ? BodyWrite.HEAD_ROOM : BodyWrite.FRAME_ROOM);
        return to;
    }

    /** Adds a byte. False, without adding it, if another chunk is needed. */
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

    /** Discards all bytes. Returns the queued writes, to be dropped without the lock. */
    @Nullable
    BodyWrite reset() {
        written = 0;
        return clear();
    }

    /** Requests that the head and all queued bytes are sent. */
    void flush() {
        used = true;
        flushing = first != null || !sink.isCommitted();
    }

    /** Ends the body after the queued bytes. */
    void close() {
        used = true;
        closed = true;
        sink.announceLength(written);
    }

    /** Ends the output without sending the rest. Returns the queued writes, to be dropped without the lock. */
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

    // ---- sending

    /** Removes the next write, which the caller must send; null if nothing should be sent now. */
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
        inFlight = taken;
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

    /** Called when the call that started a write has returned. True if the write is pending: its completion continues. */
    @SuppressWarnings("ReferenceEquality") // writes are compared by identity
    boolean isPending(BodyWrite write) {
        if (inFlight != write) {
            return false;
        }
        state = OutputState.next(state, OutputState.Event.RETURN);
        return true;
    }

    /** Called when a write has ended. True if it was pending: the caller continues. */
    boolean sent() {
        boolean pending = state == OutputState.WAITING;
        state = OutputState.next(state, OutputState.Event.DONE);
        inFlight = null;
        return pending;
    }

    // ---- back-pressure

    /** Whether writers may block. */
    boolean isBlocking() {
        return onWritable == null;
    }

    /** Makes the stream non-blocking. */
    void onWritable(Runnable callback) {
        onWritable = callback;
    }

    /** Whether more may be written. If not, the callback is owed. */
    boolean isReady() {
        boolean ready = hasRoom();
        callbackOwed = !ready;
        return ready;
    }

    /** The callback, once, if it is owed and there is room; otherwise null. */
    @Nullable
    Runnable takeCallback() {
        if (!callbackOwed || !hasRoom()) {
            return null;
        }
        callbackOwed = false;
        return onWritable;
    }

    /** The latch for a writer that must block; null if nothing is being sent, so that it should try again. */
    @Nullable
    CountDownLatch block() {
        if (!isSending()) {
            return null;
        }
        CountDownLatch current = latch;
        if (current == null) {
            current = new CountDownLatch(1);
            latch = current;
        }
        pressed = true;
        return current;
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
     * Whether enough was sent to wake a blocked writer up. Not during a write: a writer that wakes up earlier competes with
     * the sending thread for locks.
     */
    private boolean makesRoom() {
        int enough = Math.min(window() / 2, BodyWrite.FULL);
        if (isSending() || state != OutputState.OVER && !starved && weight > enough) {
            return false;
        }
        pressed = starved;
        return true;
    }

    /** The maximum number of unsent bytes. */
    private int window() {
        int most = pool.isHalfLent() ? SCARCE_WINDOW : written > limit ? STREAMING_WINDOW : limit;
        return Math.min(limit, most);
    }

    /** Whether a non-blocking writer may write more. */
    private boolean hasRoom() {
        return !isSending() || weight + (inFlight == null ? 0 : inFlight.weight()) < READY_BELOW;
    }
}
