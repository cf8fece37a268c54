package io.millrace.testkit;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ForwardingConnection;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Delivers another connection's bytes one at a time in both directions: every read returns one byte and the next one
 * null, so that the handler must wait, and every write is made byte by byte. Code that works over this connection
 * depends on no boundaries.
 */
public final class DripConnection extends ForwardingConnection {

    /** Calls the handler for bytes that are held here. */
    private final Executor caller;

    // guarded by this
    private @Nullable Chunk held;
    private @Nullable ConnectionHandler handler;
    private boolean readable;
    private boolean delivering;
    private boolean paused;

    /** Wraps a connection; the handler is called for held bytes on the thread that waits for them. */
    public DripConnection(Connection below) {
        this(below, Runnable::run);
    }

    /**
     * Wraps a connection.
     *
     * @param caller calls the handler for held bytes. If handlers dispatch requests to workers, it must not run on the
     *     waiting thread: that may be a worker, on which a request would be handled directly, and could block the delivery
     *     of its own body
     */
    public DripConnection(Connection below, Executor caller) {
        super(below);
        this.caller = caller;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (takePause()) {
            return null;
        }
        Chunk chunk = takeHeld();
        if (chunk == null) {
            chunk = below().read();
        }
        if (chunk == null || chunk.isEnd()) {
            return chunk;
        }
        Chunk drop = below().channel().buffers().lease();
        drop.bytes().put(chunk.bytes().get()).flip();
        keep(chunk);
        return drop;
    }

    @Override
    public void awaitReadable() {
        synchronized (this) {
            paused = false;
            if (held != null) {
                readable = true;
                if (delivering) {
                    return;
                }
                delivering = true;
            }
        }
        if (isDelivering()) {
            caller.execute(this::deliver);
        } else {
            below().awaitReadable();
        }
    }

    @Override
    public void write(Payload payload, Completion completion) {
        new DripWrite(below(), payload, completion).start();
    }

    @Override
    public void install(ConnectionHandler next) {
        synchronized (this) {
            handler = next;
        }
        below().install(new Relay());
    }

    /** Files are sent as bytes here. */
    @Override
    public Channel channel() {
        return below().channel().withoutFiles();
    }

    /** Calls the handler until it no longer waits for held bytes, one call after the other. */
    private void deliver() {
        while (takeReadable()) {
            handler().onReadable();
        }
    }

    private synchronized boolean isDelivering() {
        return delivering && readable;
    }

    private synchronized boolean takeReadable() {
        delivering = readable;
        readable = false;
        return delivering;
    }

    private synchronized boolean takePause() {
        boolean was = paused;
        paused = false;
        return was;
    }

    private synchronized @Nullable Chunk takeHeld() {
        Chunk chunk = held;
        held = null;
        return chunk;
    }

    private synchronized void keep(Chunk chunk) {
        paused = true;
        if (chunk.bytes().hasRemaining()) {
            held = chunk;
        } else {
            chunk.release();
        }
    }

    private synchronized ConnectionHandler handler() {
        if (handler == null) {
            throw new AssertionError("no handler was installed");
        }
        return handler;
    }

    private final class Relay implements ConnectionHandler {
        @Override
        public void onReadable() {
            synchronized (DripConnection.this) {
                readable = true;
                if (delivering) {
                    return;
                }
                delivering = true;
            }
            deliver();
        }

        @Override
        public void onIdle() {
            handler().onIdle();
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            Chunk left = takeHeld();
            if (left != null) {
                left.release();
            }
            handler().onClosed(cause);
        }

        @Override
        public void drain() {
            handler().drain();
        }
    }

    /** One payload being written a byte at a time. */
    private static final class DripWrite implements Completion {

        private final Connection below;
        private final Payload payload;
        private final Completion completion;

        private long written;

        // guarded by this
        private boolean looping;
        private boolean stepDone;
        private @Nullable Throwable failure;

        DripWrite(Connection below, Payload payload, Completion completion) {
            this.below = below;
            this.payload = payload;
            this.completion = completion;
        }

        void start() {
            synchronized (this) {
                looping = true;
                stepDone = true;
            }
            loop();
        }

        @Override
        public void done(@Nullable Throwable problem) {
            synchronized (this) {
                stepDone = true;
                failure = problem;
                if (looping) {
                    return;
                }
                looping = true;
            }
            loop();
        }

        private void loop() {
            while (takeStep()) {
                Payload next = next();
                if (next == null) {
                    completion.done(failure());
                    return;
                }
                below.write(next, this);
            }
        }

        private synchronized boolean takeStep() {
            looping = stepDone;
            stepDone = false;
            return looping;
        }

        private synchronized @Nullable Throwable failure() {
            return failure;
        }

        private @Nullable Payload next() {
            if (failure() != null) {
                return null;
            }
            if (payload instanceof Payload.FileRegion region) {
                return written < region.remaining()
                        ? new Payload.FileRegion(region.file(), region.position() + written++, 1)
                        : null;
            }
            if (payload instanceof Payload.Bytes bytes) {
                for (ByteBuffer buffer : bytes.buffers()) {
                    if (buffer.hasRemaining()) {
                        return Payload.of(ByteBuffer.wrap(new byte[] {buffer.get()}));
                    }
                }
            }
            return null;
        }
    }
}
