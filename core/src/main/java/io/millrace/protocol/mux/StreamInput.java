package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.mux.StreamInput.State.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The received and unread octets of a stream. Limited by the window granted to the peer, which is small until the application
 * starts to read, and is then replenished by the octets that it reads.
 *
 * <p><b>Threads.</b> The connection's reader adds octets, the exchange's owner removes them, and any thread may end it.
 * Nothing is called under its lock.
 *
 * <pre>
 * from           event    to
 * OPEN           END      ENDED       the peer's side is complete
 * OPEN, ENDED    DISCARD  DISCARDED   the rest is not read
 * OPEN, ENDED    FAIL     FAILED      reset, malformed, overdue, or the connection is closed: reading fails
 * DISCARDED      any      DISCARDED
 * FAILED         any      FAILED
 * ENDED          END      ENDED
 * </pre>
 */
final class StreamInput {

    enum State {
        OPEN,
        ENDED,
        DISCARDED,
        FAILED;

        enum Event {
            END,
            DISCARD,
            FAIL
        }

        /** The next state. */
        static State next(State from, Event event) {
            if (from == DISCARDED || from == FAILED) {
                return from;
            }
            return switch (event) {
                case END -> ENDED;
                case DISCARD -> DISCARDED;
                case FAIL -> FAILED;
            };
        }
    }

    /** A first piece up to this size is kept in a small heap buffer instead of a pooled one. */
    private static final int SMALL = 1024;

    private final BufferPool pool;
    private final int streamWindow;

    /** The excess that the peer may send because it has not yet received our settings, with a smaller window (RFC 9113, 6.9.3). */
    private final int slack;

    // guarded by this
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>(2);
    private State state = State.OPEN;

    /** The last chunk, while octets can be appended at its position. */
    private @Nullable Chunk tail;

    /** The octets that the peer may still send; negative if it has used the {@link #slack}. */
    private int window;

    /** The octets that were consumed and not yet granted again. */
    private int consumed;

    private boolean windowGrown;

    /** The missing rest of the Content-Length; -1 if there is none. */
    private long left;

    private @Nullable IOException failure;
    private @Nullable Headers trailers;
    private @Nullable Runnable waiting;

    /** The minimum rate. */
    private BodyRate rate = BodyRate.any();

    /** The start of the reader's wait, or the time of {@link #discard}. */
    private long waitingSince;

    /** The next in the list of inputs whose readers will be notified. Confined to the connection's reader. */
    @Nullable
    StreamInput nextToWake;

    /** Whether it is in that list. Confined to the connection's reader. */
    boolean isWakePending;

    /**
     * The input of a stream.
     *
     * @param window the initial window
     * @param firstWindow the initial window that the peer assumes until it receives our settings
     * @param streamWindow the window once the application reads
     * @param length the Content-Length; -1 if there is none
     */
    StreamInput(BufferPool pool, int window, int firstWindow, int streamWindow, long length) {
        this.pool = pool;
        this.window = window;
        slack = Math.max(0, firstWindow - window);
        this.streamWindow = streamWindow;
        left = length;
    }

    /** Sets the minimum rate. */
    synchronized void require(BodyRate minimum) {
        rate = minimum;
    }

    // ---- called by the connection's reader

    /** Sets the Content-Length. Called before any octets arrive. */
    synchronized void announce(long length) {
        left = length;
    }

    /**
     * The violation by the next piece; null if there is none. Found before {@link #push}, so that the stream can still be reset even
     * if the piece is the last one and the response was sent already.
     */
    synchronized @Nullable Fault violation(int length, int flowLength, boolean end) {
        if (window - flowLength < -slack) {
            return Fault.FLOW_CONTROL;
        }
        return left >= 0 && (length > left || end && length < left) ? Fault.PROTOCOL : null;
    }

    /** Adds a piece without a {@link #violation}, or drops it if the body is discarded. */
    synchronized void push(ByteBuffer from, int length, int flowLength, boolean end) throws IOException {
        window -= flowLength;
        left -= left >= 0 ? length : 0;
        int after = from.position() + length;
        try {
            if (state == State.OPEN) {
                consumed += flowLength - length;
                rate.came(length);
                append(from, length);
            }
        } finally {
            from.position(after);
        }
        if (end) {
            state = State.next(state, Event.END);
        }
    }

    private void append(ByteBuffer from, int length) throws IOException {
        int rest = length;
        while (rest > 0) {
            Chunk to = tail;
            if (to == null || !to.bytes().hasRemaining()) {
                seal();
                to = chunks.isEmpty() && rest <= SMALL ? Chunk.wrap(ByteBuffer.allocate(SMALL)) : pool.lease();
                chunks.add(to);
                tail = to;
            }
            ByteBuffer bytes = to.bytes();
            int part = Math.min(rest, bytes.remaining());
            bytes.put(bytes.position(), from, from.position(), part);
            bytes.position(bytes.position() + part);
            from.position(from.position() + part);
            rest -= part;
        }
    }

    /** Prepares the last chunk for reading, when it is full or the next to be read. */
    private void seal() {
        if (tail != null) {
            tail.bytes().flip();
            tail = null;
        }
    }

    /** Ends a body without a {@link #violation} with its trailer fields. */
    synchronized void end(@Nullable Headers fields) {
        trailers = fields;
        state = State.next(state, Event.END);
    }

    /** Runs the waiting reader's callback, if there is something to read. */
    void wake() {
        Runnable ready;
        synchronized (this) {
            if (state == State.OPEN && chunks.isEmpty()) {
                return;
            }
            ready = waiting;
            waiting = null;
            rate.end();
        }
        if (ready != null) {
            ready.run();
        }
    }

    // ---- called by the exchange's owner

    /** See {@link io.millrace.protocol.HttpStream#read}. */
    synchronized @Nullable Chunk read() throws IOException {
        if (failure != null) {
            throw failure;
        }
        Chunk first = chunks.poll();
        if (first == null) {
            return state == State.OPEN ? null : Chunk.END;
        }
        if (isTail(first)) {
            seal();
        }
        consumed += first.bytes().remaining();
        return first;
    }

    /** Whether {@link #read} has a result without further input. */
    synchronized boolean isReadable() {
        return state != State.OPEN || !chunks.isEmpty();
    }

    /**
     * The increment of the window update to send, because the application reads; 0 for none. Avoids small updates, and grants
     * nothing beyond the end of the body.
     *
     * @param mayGrow whether the pool has enough free buffers for a larger window
     */
    synchronized int grant(boolean mayGrow) {
        if (state != State.OPEN || left >= 0 && window > 0 && left <= window) {
            return 0; // some peers need an open window even for an empty frame that ends the body
        }
        int more = 0;
        if (!windowGrown && mayGrow) {
            windowGrown = true;
            more = Math.max(0, streamWindow - window - unread());
        } else if (consumed >= (window + consumed) / 2) {
            more = consumed;
        }
        if (more > 0) {
            window += more;
            consumed = 0;
        }
        return more;
    }

    @SuppressWarnings("ReferenceEquality") // chunks are compared by identity
    private boolean isTail(Chunk chunk) {
        return chunk == tail;
    }

    private int unread() {
        int sum = 0;
        for (Chunk chunk : chunks) {
            sum += isTail(chunk) ? chunk.bytes().position() : chunk.bytes().remaining();
        }
        return sum;
    }

    /** See {@link io.millrace.protocol.HttpStream#awaitReadable}. False, without registering it, if there is nothing to wait for. */
    synchronized boolean await(Runnable ready) {
        if (state != State.OPEN || !chunks.isEmpty()) {
            return false;
        }
        waiting = ready;
        waitingSince = System.nanoTime();
        rate.begin();
        return true;
    }

    /** The trailer fields, once the body has ended. */
    synchronized @Nullable Headers trailers() {
        return trailers;
    }

    // ---- called by any thread

    /** Whether a reader has been waiting since before this time. */
    synchronized boolean isOverdue(long since) {
        return waiting != null && waitingSince - since < 0;
    }

    /** Whether a reader has been waiting longer than this timeout, or than the minimum rate allows; null if not. */
    synchronized @Nullable RequestFault overdue(long now, Duration timeout) {
        if (waiting == null) {
            return null;
        }
        long waited = now - waitingSince;
        if (waited >= FrameClock.nanos(timeout)) {
            return RequestFault.BODY_STALLED;
        }
        return waited >= FrameClock.nanos(rate.limit(timeout)) ? RequestFault.BODY_BELOW_RATE : null;
    }

    /** Whether the body arrives below the minimum rate, and there is nothing to read. */
    synchronized boolean isTooSlow() {
        return state == State.OPEN && chunks.isEmpty() && rate.isOver();
    }

    /** Whether a reader is waiting. */
    synchronized boolean isAwaited() {
        return waiting != null;
    }

    /** Makes reading fail from now on, and drops unread octets. */
    void fail(IOException why) {
        synchronized (this) {
            state = State.next(state, Event.FAIL);
            if (state == State.FAILED && failure == null) {
                failure = why;
            }
            drop();
        }
        wake();
    }

    /** Called when the peer has ended its output: reading fails unless the body is complete. */
    void cut() {
        boolean whole;
        synchronized (this) {
            whole = state != State.OPEN;
        }
        if (!whole) {
            fail(new IOException("the client ended its output within the request's body"));
        }
    }

    /** Whether the window suffices for the rest of the body; true also for an unknown length, unless the window is closed. */
    synchronized boolean isRestGranted() {
        return window > 0 && left <= window;
    }

    /** Whether the complete body has arrived, and was neither discarded nor failed. */
    synchronized boolean isWhole() {
        return state == State.ENDED;
    }

    /** Whether the complete body was read. */
    synchronized boolean isExhausted() {
        return state == State.ENDED && chunks.isEmpty();
    }

    /** Whether it is discarded, and the peer has used up its window before the end. */
    synchronized boolean isOverdrawn() {
        return state == State.DISCARDED && window <= 0;
    }

    /** Whether it is discarded. */
    synchronized boolean isDiscarded() {
        return state == State.DISCARDED;
    }

    /** Whether it was discarded before this time. */
    synchronized boolean isDiscardedBefore(long time) {
        return state == State.DISCARDED && waitingSince - time < 0;
    }

    /** Drops the octets that have arrived, and those that will arrive. */
    synchronized void discard() {
        state = State.next(state, Event.DISCARD);
        waitingSince = System.nanoTime();
        waiting = null;
        drop();
    }

    private void drop() {
        tail = null;
        for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
            chunk.release();
        }
    }
}
