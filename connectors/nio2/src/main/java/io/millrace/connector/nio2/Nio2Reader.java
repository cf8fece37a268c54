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
 * The input half of a connection. A pending read holds its buffer until bytes come, for hours perhaps; so it is given a
 * small one of the connection's own, which takes most requests whole. Only when that was filled does the next read go into
 * pooled memory, and so on as long as each read fills what it was given.
 */
final class Nio2Reader implements CompletionHandler<Integer, @Nullable Void> {

    /**
     * The small buffer's size is this less up to {@link #SPREAD}: it differs from connection to connection, so that no
     * message exactly fills all of them, which would have many idle connections wait with pooled memory.
     */
    private static final int SMALL = 768;

    private static final int SPREAD = 128;

    private final Nio2Connection connection;
    private final AsynchronousSocketChannel channel;
    private final PendingRead pending = new PendingRead();
    private final ByteBuffer small;

    /** What is being read into, if it is pooled. */
    private @Nullable Chunk large;

    /** What the last read brought: written before it is DONE, read after. */
    private int count;

    private @Nullable Throwable failure;

    /** The last read filled its buffer, so there may be much more. */
    private boolean filled;

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
        if (pending.state() == State.NONE && connection.mayReadOn()) {
            start();
        }
        return pending.state() == State.DONE ? take() : null;
    }

    /** The owner gives up the connection until there is input. */
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

    /** Leaves the read pending, or done. False if the connection is closed. */
    private boolean start() {
        if (!connection.enter()) {
            return false;
        }
        ByteBuffer target = filled ? pooled() : small.clear();
        failure = null;
        pending.fire(Event.START);
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            channel.read(target, 0, TimeUnit.MILLISECONDS, null, this);
        } catch (Throwable refused) { // nothing is under way
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
            connection.keepOutStrangers();
        }
    }

    @Override
    public void failed(Throwable why, @Nullable Void none) {
        failure = why;
        State before = pending.fire(Event.COMPLETE);
        if (before == State.WANTED && !connection.isClosed()) {
            connection.readable(); // the handler learns when it reads
        } else if (before != State.STARTING) {
            connection.leave();
        }
    }

    private Chunk take() throws IOException {
        Chunk pooled = large;
        if (pending.fire(Event.CONSUME) != State.DONE) {
            throw connection.life().closedException(); // in this moment, and closed() has the chunk
        }
        large = null;
        if (failure == null && count >= 0) {
            return pooled == null ? copy() : unread(pooled);
        }
        if (pooled != null) {
            pooled.release();
        }
        return end();
    }

    private Chunk unread(Chunk chunk) {
        filled = !chunk.bytes().hasRemaining();
        chunk.bytes().flip();
        return chunk;
    }

    private Chunk copy() throws IOException {
        filled = !small.hasRemaining();
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

    /** No read is under way any more, nor will be. Once, by whoever tells the end. */
    void closed() {
        if (pending.fire(Event.CLOSE) == State.DONE) {
            Chunk unread = large;
            if (unread != null) {
                unread.release();
            }
        }
    }
}
