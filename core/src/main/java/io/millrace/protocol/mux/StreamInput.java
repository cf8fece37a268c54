package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.protocol.UploadRate;
import io.millrace.protocol.mux.ReceiveState.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The body of one stream's request, as far as it has come and was not read. Bounded by the window that the peer was granted:
 * that is small until the application begins to read, and is opened again only by what it has read.
 *
 * <p><b>Threads.</b> The connection's reader puts in, the exchange's owner takes out, and anybody may end it. Nothing is called
 * with its lock.
 */
final class StreamInput {

    /** A first piece up to this size is kept in a little memory of the heap: a buffer of the pool for a word would be dear. */
    private static final int SMALL = 1024;

    private final BufferPool pool;
    private final int streamWindow;

    /** What the peer may send beyond a smaller window that we have asked for, as it may not know of that yet (RFC 9113, 6.9.3). */
    private final int slack;

    // guarded by this
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>(2);
    private ReceiveState state = ReceiveState.OPEN;

    /** The last of the chunks, if it takes more; its position is where that goes. */
    private @Nullable Chunk tail;

    /** What the peer may still send; negative if it did not know yet how little that is. */
    private int window;

    /** What it may be granted again. */
    private int owed;

    private boolean asked;

    /** What the announced length still leaves; -1 if there is none. */
    private long left;

    private @Nullable IOException failure;
    private @Nullable Headers trailers;
    private @Nullable Runnable waiting;

    /** How fast it has to come. */
    private UploadRate pace = UploadRate.any();

    /** Since when somebody waits, or nobody reads any more. */
    private long waitingSince;

    /** The one behind it among those whose readers are to be told; the connection's reader's. */
    @Nullable
    StreamInput nextToWake;

    /** Is it among those? The connection's reader's. */
    boolean isToWake;

    /**
     * The input of a request with a body.
     *
     * @param window granted to the peer from the start
     * @param firstWindow what the peer may take for that window until it knows our settings
     * @param streamWindow granted once somebody reads
     * @param length announced; -1 if there is none
     */
    StreamInput(BufferPool pool, int window, int firstWindow, int streamWindow, long length) {
        this.pool = pool;
        this.window = window;
        slack = Math.max(0, firstWindow - window);
        this.streamWindow = streamWindow;
        left = length;
    }

    /** It has to come at this rate. */
    synchronized void require(UploadRate rate) {
        pace = rate;
    }

    // ---- by the connection's reader

    /** The length of what comes was announced. Before anything of it. */
    synchronized void announce(long length) {
        left = length;
    }

    /**
     * A piece has come: takes it, or drops it if nobody wants it.
     *
     * @return what rule it breaks; null if none
     */
    synchronized @Nullable Fault push(ByteBuffer from, int length, int flowLength, boolean end) throws IOException {
        window -= flowLength;
        int after = from.position() + length;
        try {
            if (window < -slack) {
                return Fault.FLOW_CONTROL;
            }
            if (left >= 0) {
                left -= length;
                if (left < 0 || end && left > 0) {
                    return Fault.PROTOCOL;
                }
            }
            if (state == ReceiveState.OPEN) {
                owed += flowLength - length;
                pace.came(length);
                append(from, length);
            }
        } finally {
            from.position(after);
        }
        if (end) {
            state = ReceiveState.next(state, Event.END);
        }
        return null;
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

    /** The last chunk is full, or wanted: it is read from now on. */
    private void seal() {
        if (tail != null) {
            tail.bytes().flip();
            tail = null;
        }
    }

    /** The fields after the body, which end it. False if less has come than was announced. */
    synchronized boolean end(@Nullable Headers fields) {
        if (left > 0) {
            return false;
        }
        trailers = fields;
        state = ReceiveState.next(state, Event.END);
        return true;
    }

    /** Runs who waits, if there is now something for him. */
    void wake() {
        Runnable ready;
        synchronized (this) {
            if (state == ReceiveState.OPEN && chunks.isEmpty()) {
                return;
            }
            ready = waiting;
            waiting = null;
            pace.end();
        }
        if (ready != null) {
            ready.run();
        }
    }

    // ---- by the exchange's owner

    /** As {@link io.millrace.protocol.HttpStream#read}. */
    synchronized @Nullable Chunk read() throws IOException {
        if (failure != null) {
            throw failure;
        }
        Chunk first = chunks.poll();
        if (first == null) {
            return state == ReceiveState.OPEN ? null : Chunk.END;
        }
        if (isTail(first)) {
            seal();
        }
        owed += first.bytes().remaining();
        return first;
    }

    /** Has anything come that was not read, or is there nothing to wait for? */
    synchronized boolean isReadable() {
        return state != ReceiveState.OPEN || !chunks.isEmpty();
    }

    /**
     * Somebody reads: by how much is the peer's window to be opened? By little at a time it is not, and neither beyond the end
     * of the body.
     *
     * @param mayGrow has the pool buffers to spare?
     */
    synchronized int grant(boolean mayGrow) {
        if (state != ReceiveState.OPEN || left >= 0 && left <= window) {
            return 0;
        }
        int more = 0;
        if (!asked && mayGrow) {
            asked = true;
            more = Math.max(0, streamWindow - window - unread());
        } else if (owed >= (window + owed) / 2) {
            more = owed;
        }
        if (more > 0) {
            window += more;
            owed = 0;
        }
        return more;
    }

    @SuppressWarnings("ReferenceEquality") // this very chunk
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

    /** As {@link io.millrace.protocol.HttpStream#awaitReadable}. False, and it is not kept, if there is nothing to wait for. */
    synchronized boolean await(Runnable ready) {
        if (state != ReceiveState.OPEN || !chunks.isEmpty()) {
            return false;
        }
        waiting = ready;
        waitingSince = System.nanoTime();
        pace.begin();
        return true;
    }

    /** The fields after the body, once that has ended. */
    synchronized @Nullable Headers trailers() {
        return trailers;
    }

    // ---- by anybody

    /** Does somebody wait, and since before this time? */
    synchronized boolean isOverdue(long since) {
        return waiting != null && waitingSince - since < 0;
    }

    /** Does somebody wait for longer than this timeout, or than the rate allows? Null if that is not so. */
    synchronized @Nullable SlowBody overdue(long now, Duration timeout) {
        if (waiting == null) {
            return null;
        }
        long waited = now - waitingSince;
        if (waited >= FrameClock.nanos(timeout)) {
            return SlowBody.STALLED;
        }
        return waited >= FrameClock.nanos(pace.limit(timeout)) ? SlowBody.BELOW_RATE : null;
    }

    /** Has it come too slowly, so that nobody should wait for more? */
    synchronized boolean isTooSlow() {
        return state == ReceiveState.OPEN && chunks.isEmpty() && pace.isOver();
    }

    /** Does somebody wait? */
    synchronized boolean isAwaited() {
        return waiting != null;
    }

    /** Reading fails from now on; what has come is dropped. */
    void fail(IOException why) {
        synchronized (this) {
            state = ReceiveState.next(state, Event.FAIL);
            if (state == ReceiveState.FAILED && failure == null) {
                failure = why;
            }
            drop();
        }
        wake();
    }

    /** The peer sends nothing more: reading fails unless all has come. */
    void cut() {
        boolean whole;
        synchronized (this) {
            whole = state != ReceiveState.OPEN;
        }
        if (!whole) {
            fail(new IOException("the client ended its output within the request's body"));
        }
    }

    /** Can the peer send what is left of the body without another grant, as far as is known? */
    synchronized boolean isRestGranted() {
        return window > 0 && left <= window;
    }

    /** Has all of it come, and was it not given up? */
    synchronized boolean isWhole() {
        return state == ReceiveState.ENDED;
    }

    /** The same, and was all of it read? */
    synchronized boolean isExhausted() {
        return state == ReceiveState.ENDED && chunks.isEmpty();
    }

    /** Does nobody read it any more, and has the peer used what it was granted before it came to the end? */
    synchronized boolean isOverdrawn() {
        return state == ReceiveState.DISCARDED && window <= 0;
    }

    /** Does nobody read it any more? */
    synchronized boolean isDiscarded() {
        return state == ReceiveState.DISCARDED;
    }

    /** The same, since before this time. */
    synchronized boolean isDiscardedBefore(long time) {
        return state == ReceiveState.DISCARDED && waitingSince - time < 0;
    }

    /** Nobody reads it any more: what has come and what comes is dropped. */
    synchronized void discard() {
        state = ReceiveState.next(state, Event.DISCARD);
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
