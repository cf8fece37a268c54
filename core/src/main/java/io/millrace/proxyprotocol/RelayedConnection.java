package io.millrace.proxyprotocol;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ForwardingConnection;
import io.millrace.io.ReadyLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A connection with other properties than the one below, and with bytes that were already read from that. Once they are read, it
 * only delegates.
 */
final class RelayedConnection extends ForwardingConnection {

    private final Channel channel;

    /** To be read first, in order; guarded by itself, because any thread may close the connection. */
    private final Queue<Chunk> early;

    private final ReadyLoop loop = new ReadyLoop();
    private volatile @Nullable ConnectionHandler handler;

    /** Takes the ownership of the chunks, which are the next input. */
    RelayedConnection(Connection below, ConnectionInfo info, Chunk... early) {
        super(below);
        channel = below.channel().with(info);
        this.early = new ArrayDeque<>(List.of(early));
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        Chunk chunk = takeEarly();
        return chunk == null ? below().read() : chunk;
    }

    /** Calls the handler if there are early bytes, for which the connection below has no event. */
    @Override
    public void awaitReadable() {
        if (hasEarly()) {
            loop.run(this::call);
        } else {
            below().awaitReadable();
        }
    }

    @Override
    public void install(ConnectionHandler next) {
        handler = next;
        below().install(hasEarly() ? new Releasing(next) : next);
    }

    @Override
    public Channel channel() {
        return channel;
    }

    /** An exception of the handler closes the connection. */
    private void call() {
        ConnectionHandler waiting = handler;
        try {
            if (waiting != null) {
                waiting.onReadable();
            }
        } catch (RuntimeException | Error thrown) {
            below().close(thrown);
            throw thrown;
        }
    }

    private @Nullable Chunk takeEarly() {
        synchronized (early) {
            return early.poll();
        }
    }

    private boolean hasEarly() {
        synchronized (early) {
            return !early.isEmpty();
        }
    }

    private void releaseEarly() {
        for (Chunk chunk = takeEarly(); chunk != null; chunk = takeEarly()) {
            chunk.release();
        }
    }

    /** Releases the early bytes if the connection is closed before they are read. */
    private final class Releasing implements ConnectionHandler {

        private final ConnectionHandler handler;

        Releasing(ConnectionHandler handler) {
            this.handler = handler;
        }

        @Override
        public void onReadable() {
            handler.onReadable();
        }

        @Override
        public void onIdle() {
            handler.onIdle();
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            releaseEarly();
            handler.onClosed(cause);
        }

        @Override
        public void drain() {
            handler.drain();
        }
    }
}
