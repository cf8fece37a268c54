package io.millrace.io;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose methods a test overrides as needed. By default its peer sends nothing, closing it does nothing, and all
 * other methods throw.
 */
public class TestConnection implements Connection {

    private final BufferPool pool;

    /** A connection with a pool of its own. */
    public TestConnection() {
        this(new BufferPool(64 * BufferPool.BUFFER_SIZE));
    }

    /** A connection with this pool. */
    public TestConnection(BufferPool pool) {
        this.pool = pool;
    }

    /** A chunk of these bytes, leased from a pool. */
    public static Chunk chunk(BufferPool pool, byte... bytes) {
        try {
            Chunk chunk = pool.lease();
            chunk.bytes().put(bytes).flip();
            return chunk;
        } catch (BufferPoolExhaustedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return null;
    }

    @Override
    public void awaitReadable() {}

    @Override
    public boolean takeBack() {
        return false;
    }

    @Override
    public void write(Payload payload, Completion completion) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void finish(Completion completion) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close(@Nullable Throwable cause) {}

    @Override
    public void reset(@Nullable Throwable cause) {
        close(cause);
    }

    @Override
    public void install(ConnectionHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void idleTimeout(Duration timeout) {}

    @Override
    public void limitWrites(Duration limit) {}

    @Override
    public Channel channel() {
        return new Channel(
                new Nowhere(), pool, false, false, Blocker.NEVER_IN_PLACE, new Timers("unused"), new ConnectionMeter());
    }

    private record Nowhere() implements ConnectionInfo {
        @Override
        public SocketAddress local() {
            return InetSocketAddress.createUnresolved("server", 443);
        }

        @Override
        public SocketAddress remote() {
            return InetSocketAddress.createUnresolved("client", 1024);
        }
    }
}
