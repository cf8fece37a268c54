package io.millrace.protocol.serial;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.ShortageLogging;
import io.millrace.io.WriteLoop;
import io.millrace.log.CoreLog;
import io.millrace.protocol.FlushGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output of a connection. A head and its body are one write: the head is written in front of the body, into the same
 * memory, if that has {@linkplain Payload.Bytes#headroom room} for it; otherwise small pieces are copied together into
 * one buffer, as are the responses to pipelined requests. May be called by any thread, but the next piece may only be
 * sent after the completion of the previous one.
 *
 * <p>A {@link WriteLoop} writes and calls completions. A completion that would continue with the next request defers that until
 * the loop has ended ({@link #afterwards}), because what runs then may wait for output.
 */
public final class Outbox implements FlushGuard.Collector {

    /** Larger pieces are not copied. */
    private static final int MAX_COPY = 8 * 1024;

    private static final Payload[] NOTHING = {};

    private final Connection connection;
    private final Runnable blocked;
    private final WriteLoop loop = new WriteLoop(new Writes());

    // guarded by this
    private @Nullable Chunk buffer;
    private Payload @Nullable [] large;
    private Completion done = Completion.IGNORE;
    private Payload @Nullable [] writes;
    private int written;
    private @Nullable Chunk writtenBuffer;
    private Completion writtenDone = Completion.IGNORE;
    private @Nullable Throwable failure;
    private boolean closed;
    private boolean flushing;
    private boolean guarded;
    private boolean aged;

    /**
     * Empty.
     *
     * @param blocked called when a write waits for the peer, on the thread that began it, and possibly when it has just ended; must
     *     not block
     */
    public Outbox(Connection connection, Runnable blocked) {
        this.connection = connection;
        this.blocked = blocked;
    }

    /**
     * Sends a piece immediately, after the buffered ones.
     *
     * @param completion called when it was sent, or cannot be sent
     * @param piece written in order; may be empty: the completion is then called when everything before has been sent
     */
    public void send(Completion completion, Payload... piece) {
        synchronized (this) {
            if (isOpen() && (buffer != null || !isFramed(piece)) && fits(piece)) {
                copy(piece);
            } else {
                large = piece;
            }
            done = completion;
            flushing = true;
        }
        loop.wake();
    }

    /**
     * Buffers a small piece until the next {@link #flush} or {@link #send}; its completion is called immediately. Sends
     * other pieces.
     *
     * @param guard flushes the buffer if nothing else does soon
     */
    public void collect(FlushGuard guard, Completion completion, Payload... piece) {
        boolean collected;
        boolean unguarded = false;
        synchronized (this) {
            collected = isOpen() && fits(piece);
            if (collected) {
                copy(piece);
                aged = false;
                unguarded = !guarded;
                guarded = true;
            }
        }
        if (unguarded) {
            guard.watch(this);
        }
        if (collected) {
            completion.done(null);
        } else {
            send(completion, piece);
        }
    }

    /**
     * Sends a few bytes of the protocol itself between two pieces, or after the last one. Called at any time by the
     * owner of the input; there is no completion.
     *
     * @return false if there is no room, because the peer does not receive; nothing is sent then
     */
    public boolean interject(byte[] few) {
        synchronized (this) {
            int room = buffer == null ? BufferPool.BUFFER_SIZE : buffer.bytes().remaining();
            if (room < few.length) {
                return false;
            }
            if (isOpen()) {
                copy(Payload.of(ByteBuffer.wrap(few)));
                flushing = true;
            }
        }
        loop.wake();
        return true;
    }

    /** Sends the buffered pieces. */
    public void flush() {
        synchronized (this) {
            if (buffer == null) {
                return;
            }
            flushing = true;
        }
        loop.wake();
    }

    /** Called periodically: sends pieces that were buffered before the previous call. False if nothing is buffered. */
    @Override
    public boolean age() {
        synchronized (this) {
            guarded = buffer != null;
            if (buffer == null || !aged) {
                aged = true;
                return guarded;
            }
            flushing = true;
        }
        loop.wake();
        return true;
    }

    /** Called when the connection is closed: nothing more is sent. */
    public void close(@Nullable Throwable cause) {
        synchronized (this) {
            closed = true;
            failure = cause == null ? failure : cause;
            flushing = true;
        }
        loop.wake();
    }

    /** Runs an action immediately, or, inside a completion that the outbox calls, after the loop has ended. */
    public void afterwards(Runnable action) {
        loop.afterwards(action);
    }

    /** What the loop writes: the pieces of one {@link #send}, one after the other, and then its completion is called. */
    private final class Writes implements WriteLoop.Owner {

        @Override
        public boolean step() {
            if (loop.isWriting()) {
                return false;
            }
            Payload write;
            Completion finished;
            Throwable problem;
            boolean more;
            synchronized (Outbox.this) {
                write = nextWrite();
                finished = write == null ? endWrites() : null;
                problem = finished == null ? null : problem();
                more = flushing;
            }
            if (write != null) {
                if (!loop.begin(end -> connection.write(write, end))) {
                    blocked.run();
                }
            } else if (finished != null) {
                loop.complete(finished, problem);
            }
            return more && write == null;
        }

        @Override
        public void written(@Nullable Throwable problem) {
            if (problem != null) {
                synchronized (Outbox.this) {
                    failure = failure == null ? problem : failure;
                }
                connection.close(problem);
            }
        }

        @Override
        public void failed(Throwable thrown) {
            synchronized (Outbox.this) {
                failure = failure == null ? thrown : failure;
            }
            connection.close(thrown); // before logging, which may fail too: out of memory, out of file descriptors
            if (ShortageLogging.isDue(thrown)) {
                CoreLog.PROTOCOL.internalError(thrown);
            }
        }

        @Override
        public boolean handOver() {
            return false; // the output stream of an exchange does
        }
    }

    private boolean isOpen() {
        return !closed && failure == null;
    }

    /** The failure for the current completion; null if everything was sent. */
    private @Nullable Throwable problem() {
        if (closed && failure == null) {
            failure = new IOException("the connection is closed");
        }
        return failure;
    }

    private @Nullable Payload nextWrite() {
        if (writes == null && flushing) {
            takeCollected();
            flushing = false;
        }
        Payload[] all = writes;
        if (all == null || !isOpen()) {
            return null;
        }
        while (written < all.length && all[written].remaining() == 0) {
            written++;
        }
        return written == all.length ? null : all[written++];
    }

    /**
     * Releases the buffer; what has not been written never will be. Returns the completion to call, if a write was in
     * progress.
     */
    private @Nullable Completion endWrites() {
        if (writes == null) {
            return null;
        }
        writes = null;
        Chunk sent = writtenBuffer;
        writtenBuffer = null;
        if (sent != null) {
            sent.release();
        }
        Completion finished = writtenDone;
        writtenDone = Completion.IGNORE; // an idle connection would keep its last exchange
        return finished;
    }

    /** Makes the buffered pieces, and the piece after them that was not copied, the next write. */
    private void takeCollected() {
        Chunk collected = buffer;
        Payload[] piece = large;
        if (collected != null || piece != null) {
            writes = behind(collected, piece == null ? NOTHING : piece);
            writtenDone = done;
        }
        written = 0;
        writtenBuffer = collected;
        buffer = null;
        large = null;
        done = Completion.IGNORE;
    }

    /** The piece with the buffered ones in front of it: in one gathering write if the piece begins with bytes. */
    private static Payload[] behind(@Nullable Chunk collected, Payload... piece) {
        if (collected == null) {
            return piece;
        }
        ByteBuffer first = collected.bytes().flip();
        if (piece.length > 0 && piece[0] instanceof Payload.Bytes bytes) {
            Payload[] all = piece.clone();
            all[0] = bytes.framed(first, ByteBuffer.allocate(0));
            return all;
        }
        Payload[] all = new Payload[piece.length + 1];
        all[0] = Payload.of(first);
        System.arraycopy(piece, 0, all, 1, piece.length);
        return all;
    }

    /** Whether head and body are contiguous, so that they can be written in place. */
    private static boolean isFramed(Payload... piece) {
        return piece.length == 1 && piece[0] instanceof Payload.Bytes bytes && bytes.headroom() > 0;
    }

    private boolean fits(Payload... piece) {
        long size = 0;
        for (Payload part : piece) {
            if (!(part instanceof Payload.Bytes)) {
                return false;
            }
            size += part.remaining();
        }
        int room = buffer == null ? BufferPool.BUFFER_SIZE : buffer.bytes().remaining();
        return size > 0 && size <= Math.min(room, MAX_COPY);
    }

    private void copy(Payload... piece) {
        if (buffer == null) {
            Chunk leased = connection.channel().buffers().tryLease();
            buffer = leased == null ? Chunk.wrap(ByteBuffer.allocate(BufferPool.BUFFER_SIZE)) : leased;
        }
        ByteBuffer to = buffer.bytes();
        for (Payload part : piece) {
            if (part instanceof Payload.Bytes bytes) {
                for (ByteBuffer from : bytes.buffers()) {
                    to.put(from);
                }
            }
        }
    }
}
