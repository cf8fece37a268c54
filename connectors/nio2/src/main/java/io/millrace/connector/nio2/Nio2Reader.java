package io.millrace.connector.nio2;

import io.millrace.connector.nio2.PendingRead.Event;
import io.millrace.connector.nio2.PendingRead.State;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The input half of a connection. A pending read holds its buffer until bytes arrive, perhaps for hours; it therefore uses a
 * small buffer that belongs to the connection, in which most requests fit. Only after two reads in a row that filled their
 * buffers does the next one use pooled memory: one alone may have been filled by the end of what was there.
 */
final class Nio2Reader implements CompletionHandler<Integer, @Nullable Void> {

    /**
     * The largest size of the small buffer. It varies between connections by up to {@link #SPREAD}, so that no message fills
     * all of them exactly: many idle connections would then wait with pooled memory.
     */
    private static final int SMALL = 768;

    private static final int SPREAD = 128;

    /** After so many reads that filled their buffers, the next one uses pooled memory. */
    private static final int MUCH = 2;

    private final Nio2Connection connection;
    private final AsynchronousSocketChannel channel;
    private final PendingRead pending = new PendingRead();
    private final ByteBuffer small;

    /** The buffer of the current read, if it is pooled. */
    private @Nullable Chunk large;

    /** The result of the last read: written before its state is DONE, read after. */
    private int count;

    private @Nullable Throwable failure;

    /** How many reads in a row have filled their buffers, so that there is most likely more. */
    private int filled;

    Nio2Reader(Nio2Connection connection, AsynchronousSocketChannel channel) {
        this.connection = connection;
        this.channel = channel;
        small = ByteBuffer.allocate(SMALL - System.identityHashCode(this) % SPREAD);
    }

    @Nullable
    Chunk read() throws IOException {
        connection.life().checkOpen();
        if (connection.isInputEnded()) {
            return Chunk.END;
        }
        if (pending.state() == State.NONE && connection.mayRead()) {
            start();
        }
        return pending.state() == State.DONE ? take() : null;
    }

    /** Returns the connection to the transport until there is input. */
    void await() {
        if (connection.isInputEnded()) {
            connection.readableAlready();
        } else if (pending.state() != State.NONE || start()) {
            if (pending.fire(Event.AWAIT) == State.DONE) {
                connection.readableAlready();
            }
        }
    }

    /** Ends the owner's wait, if there is one. The caller owns the connection if this is true. */
    boolean takeBack() {
        return pending.fire(Event.TAKE_BACK) == State.WANTED;
    }

    boolean isWaiting() {
        return pending.state() == State.WANTED;
    }

    /** Starts a read, which is pending or done afterwards. False if the connection is closed. */
    private boolean start() {
        if (!connection.enter()) {
            return false;
        }
        ByteBuffer target = filled >= MUCH ? pooled() : small.clear();
        failure = null;
        pending.fire(Event.START);
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            channel.read(target, 0, TimeUnit.MILLISECONDS, null, this);
        } catch (Throwable refused) { // no read is pending
            failed(refused, null);
        }
        if (interrupted) {
            Thread.currentThread().interrupt(); // the channel group clears it after each completion
        }
        if (pending.fire(Event.RETURN) == State.DONE) {
            connection.leave();
        }
        return true;
    }

    private ByteBuffer pooled() {
        try {
            large = connection.channel().buffers().lease();
            return large.bytes();
        } catch (BufferPoolExhaustedException none) {
            return small.clear();
        }
    }

    @Override
    public void completed(Integer read, @Nullable Void none) {
        count = read;
        State before = pending.fire(Event.COMPLETE);
        if (before == State.WANTED) {
            connection.readable();
        } else if (before == State.PENDING) {
            connection.leave();
        }
        if (before != State.STARTING) {
            connection.parkExtraPoller();
        }
    }

    @Override
    public void failed(Throwable why, @Nullable Void none) {
        failure = why;
        State before = pending.fire(Event.COMPLETE);
        if (before == State.WANTED && !connection.isClosed()) {
            connection.readable(); // the handler's read throws the failure
        } else if (before != State.STARTING) {
            connection.leave();
        }
    }

    private Chunk take() throws IOException {
        Chunk pooled = large;
        if (pending.fire(Event.CONSUME) != State.DONE) {
            throw connection.life().closedException(); // closed meanwhile; closed() releases the chunk
        }
        large = null;
        if (failure == null && count >= 0) {
            connection.meter().receive(count);
            return pooled == null ? copy() : unread(pooled);
        }
        if (pooled != null) {
            pooled.release();
        }
        return end();
    }

    private Chunk unread(Chunk chunk) {
        filled = chunk.bytes().hasRemaining() ? 0 : MUCH;
        chunk.bytes().flip();
        return chunk;
    }

    private Chunk copy() throws IOException {
        filled = small.hasRemaining() ? 0 : Math.min(MUCH, filled + 1);
        Chunk chunk = connection.channel().buffers().lease();
        chunk.bytes().put(small.flip()).flip();
        return chunk;
    }

    private Chunk end() throws IOException {
        Throwable why = failure;
        if (why != null) {
            IOException broken = why instanceof IOException known ? known : new IOException(why);
            connection.close(broken);
            throw broken;
        }
        connection.inputEnded();
        return Chunk.END;
    }

    /** Releases an unread chunk. Called once, at the end, when no read is pending or will start. */
    void closed() {
        if (pending.fire(Event.CLOSE) == State.DONE) {
            Chunk unread = large;
            if (unread != null) {
                unread.release();
            }
        }
    }
}
