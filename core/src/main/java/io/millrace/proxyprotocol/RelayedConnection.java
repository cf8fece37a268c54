package io.millrace.proxyprotocol;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.ReadyLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The connection below with other things known of it, and with bytes that were read from it too early. Once those are read
 * it does nothing but pass on.
 */
final class RelayedConnection implements Connection {

    private final Connection below;
    private final ConnectionInfo info;

    /** Read first, in order; guarded by itself: a close may come from any thread. */
    private final Queue<Chunk> early;

    private final ReadyLoop loop = new ReadyLoop();
    private volatile @Nullable ConnectionHandler handler;

    /** Over a connection whose next bytes are these; they become this one's. */
    RelayedConnection(Connection below, ConnectionInfo info, Chunk... early) {
        this.below = below;
        this.info = info;
        this.early = new ArrayDeque<>(List.of(early));
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        Chunk chunk = takeEarly();
        return chunk == null ? below.read() : chunk;
    }

    /** Early bytes are there to be read now, and no event below will tell of them. */
    @Override
    public void awaitReadable() {
        if (hasEarly()) {
            loop.run(this::call);
        } else {
            below.awaitReadable();
        }
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        below.await(latch);
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
    public void install(ConnectionHandler next) {
        handler = next;
        below.install(hasEarly() ? new Releasing(next) : next);
    }

    @Override
    public void idleTimeout(Duration timeout) {
        below.idleTimeout(timeout);
    }

    @Override
    public boolean mayBlock() {
        return below.mayBlock();
    }

    @Override
    public boolean sendsFiles() {
        return below.sendsFiles();
    }

    @Override
    public boolean isEmptyReadCostly() {
        return below.isEmptyReadCostly();
    }

    @Override
    public ConnectionInfo info() {
        return info;
    }

    @Override
    public BufferPool buffers() {
        return below.buffers();
    }

    /** What a handler throws closes its connection. */
    private void call() {
        ConnectionHandler waiting = handler;
        try {
            if (waiting != null) {
                waiting.onReadable();
            }
        } catch (RuntimeException | Error thrown) {
            below.close(thrown);
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

    /** A handler that may be closed before it has read what came early. */
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
