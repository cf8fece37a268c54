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

/** A connection handler made of the parts that a test gives it, which takes note of what it is told. */
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

    /** For one connection, whose input it discards, and which it closes when idle, until told otherwise. */
    public Probe(Connection connection) {
        this.connection = connection;
    }

    /** What to do when there is input. */
    public Probe onReadable(Consumer<Probe> action) {
        onReadable = action;
        return this;
    }

    /** What to do when the peer is idle. */
    public Probe onIdle(Consumer<Probe> action) {
        onIdle = action;
        return this;
    }

    /** What to do when told to drain. */
    public Probe onDrain(Consumer<Probe> action) {
        onDrain = action;
        return this;
    }

    /** The connection. */
    public Connection connection() {
        return connection;
    }

    /** Reads; what goes wrong closes the connection and reads as null. */
    public @Nullable Chunk read() {
        try {
            return connection.read();
        } catch (IOException broken) {
            connection.close(broken);
            return null;
        }
    }

    /** Writes bytes that nobody else keeps. */
    public void write(byte[] bytes, Completion completion) {
        connection.write(Payload.of(ByteBuffer.wrap(bytes)), completion);
    }

    /** Closes in good order. */
    public void close() {
        connection.close(null);
    }

    /**
     * Echoes what arrives until the end, then finishes and closes. One chunk at a time: the next is read when this one is
     * written.
     */
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

    /** Reads and throws away until the end, then closes. */
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

    /** Waits for {@link #onClosed}. */
    public @Nullable Throwable awaitClosed() throws InterruptedException {
        Deadline.await(closed);
        return cause;
    }

    /** Told that it is closed. */
    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Told to drain. */
    public boolean isDraining() {
        return draining;
    }

    /** How often it was told that it is closed. */
    public int closings() {
        return closings.get();
    }

    /** How often it was told that its peer is idle. */
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
