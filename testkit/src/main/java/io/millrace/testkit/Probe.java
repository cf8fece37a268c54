package io.millrace.testkit;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection handler that is assembled from actions of a test, and records its calls. */
public final class Probe implements ConnectionHandler {

    private final Connection connection;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger closings = new AtomicInteger();
    private final AtomicInteger idlings = new AtomicInteger();
    private volatile Consumer<Probe> onReadable = Probe::discard;
    private volatile Consumer<Probe> onIdle = Probe::close;
    private volatile Consumer<Probe> onDrain = probe -> {};
    private volatile boolean draining;
    private volatile @Nullable Throwable cause;

    /** A handler for one connection, which by default discards input and closes an idle connection. */
    public Probe(Connection connection) {
        this.connection = connection;
    }

    /** Sets the action for input. */
    public Probe onReadable(Consumer<Probe> action) {
        onReadable = action;
        return this;
    }

    /** Sets the action for an idle peer. */
    public Probe onIdle(Consumer<Probe> action) {
        onIdle = action;
        return this;
    }

    /** Sets the action for a drain. */
    public Probe onDrain(Consumer<Probe> action) {
        onDrain = action;
        return this;
    }

    /** The connection. */
    public Connection connection() {
        return connection;
    }

    /** Reads; an exception closes the connection and returns null. */
    public @Nullable Chunk read() {
        try {
            return connection.read();
        } catch (IOException broken) {
            connection.close(broken);
            return null;
        }
    }

    /** Writes bytes, which must not be modified. */
    public void write(byte[] bytes, Completion completion) {
        connection.write(Payload.of(ByteBuffer.wrap(bytes)), completion);
    }

    /** Closes normally. */
    public void close() {
        connection.close(null);
    }

    /** Echoes input until its end, then finishes and closes. The next chunk is read when the previous one has been written. */
    public void echo() {
        Chunk chunk = read();
        if (chunk == null) {
            if (draining) {
                close();
            } else if (!isClosed()) {
                connection.awaitReadable();
            }
        } else if (chunk.isEnd()) {
            connection.finish(failure -> close());
        } else {
            connection.write(Payload.of(chunk.bytes()), failure -> {
                chunk.release();
                if (failure == null) {
                    echo();
                }
            });
        }
    }

    /** Discards input until its end, then closes. */
    public void discard() {
        Chunk chunk = read();
        while (chunk != null && !chunk.isEnd()) {
            chunk.release();
            chunk = read();
        }
        if (chunk != null) {
            close();
        } else if (!isClosed()) {
            connection.awaitReadable();
        }
    }

    /** Waits for {@link #onClosed}; returns its cause. */
    public @Nullable Throwable awaitClosed() throws InterruptedException {
        Deadline.await(closed);
        return cause;
    }

    /** Whether {@link #onClosed} was called. */
    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Whether {@link #drain} was called. */
    public boolean isDraining() {
        return draining;
    }

    /** The number of calls of {@link #onClosed}. */
    public int closings() {
        return closings.get();
    }

    /** The number of calls of {@link #onIdle}. */
    public int idlings() {
        return idlings.get();
    }

    @Override
    public void onReadable() {
        onReadable.accept(this);
    }

    @Override
    public void onIdle() {
        idlings.incrementAndGet();
        onIdle.accept(this);
    }

    @Override
    public void onClosed(@Nullable Throwable why) {
        cause = why;
        closings.incrementAndGet();
        closed.countDown();
    }

    @Override
    public void drain() {
        draining = true;
        onDrain.accept(this);
    }
}
