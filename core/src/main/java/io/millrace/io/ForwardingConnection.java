package io.millrace.io;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection that forwards all calls to another one; layers override what they change. {@link Connection} has no
 * default methods, so that a new method must be forwarded here before this class compiles.
 */
public abstract class ForwardingConnection implements Connection {

    private final Connection below;

    /** Wraps this connection. */
    protected ForwardingConnection(Connection below) {
        this.below = below;
    }

    /** The wrapped connection. */
    protected final Connection below() {
        return below;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return below.read();
    }

    @Override
    public void awaitReadable() {
        below.awaitReadable();
    }

    @Override
    public boolean takeBack() {
        return below.takeBack();
    }

    @Override
    public void write(Payload payload, Completion completion) {
        below.write(payload, completion);
    }

    @Override
    public void finish(Completion completion) {
        below.finish(completion);
    }

    @Override
    public void close(@Nullable Throwable cause) {
        below.close(cause);
    }

    @Override
    public void reset(@Nullable Throwable cause) {
        below.reset(cause);
    }

    @Override
    public void install(ConnectionHandler handler) {
        below.install(handler);
    }

    @Override
    public void idleTimeout(Duration timeout) {
        below.idleTimeout(timeout);
    }

    @Override
    public void limitWrites(Duration limit) {
        below.limitWrites(limit);
    }

    @Override
    public Channel channel() {
        return below.channel();
    }
}
