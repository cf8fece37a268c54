package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream that carries another protocol's bytes, as DATA both ways (RFC 8441, 5). Its end is the stream's: the connection has
 * others.
 */
final class StreamTunnel implements HttpStream {

    private final MuxServerStream stream;
    private final Duration idleTimeout;
    private volatile long active = System.nanoTime();

    // guarded by this
    private @Nullable Runnable drainListener;
    private boolean draining;

    /**
     * A tunnel.
     *
     * @param idleTimeout how long neither direction may move; zero for ever
     */
    StreamTunnel(MuxServerStream stream, Duration idleTimeout) {
        this.stream = stream;
        this.idleTimeout = idleTimeout;
    }

    /** The head was sent. */
    void begin() {
        active = System.nanoTime();
        if (!idleTimeout.isZero()) {
            stream.connection().sweep().watch();
        }
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        Chunk chunk = stream.readRaw();
        if (chunk != null) {
            active = System.nanoTime();
        }
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        stream.awaitRaw(ready);
    }

    /** There are no interim responses any more. */
    @Override
    public void inform(int status, Headers headers, Completion completion) {
        completion.done(null);
    }

    /** The head is of no use: one was sent. After the last piece comes our end. */
    @Override
    public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        stream.send(null, body, last, failure -> {
            active = System.nanoTime();
            completion.done(failure);
        });
    }

    @Override
    public void tunnel(ResponseHead head, Duration timeout, Consumer<HttpStream> opened) {
        throw new UnsupportedOperationException("the stream is a tunnel already");
    }

    @Override
    public void end() {
        stream.end();
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        stream.abort(cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> listener) {
        stream.onClosed(listener);
    }

    @Override
    public void onDrain(Runnable listener) {
        synchronized (this) {
            if (!draining) {
                drainListener = listener;
                return;
            }
        }
        listener.run();
    }

    /** The server stops. */
    void drain() {
        Runnable told;
        synchronized (this) {
            draining = true;
            told = drainListener;
            drainListener = null;
        }
        if (told != null) {
            told.run();
        }
    }

    /** Cuts it if nothing has moved for too long. True if that may still happen. */
    boolean sweep(long now) {
        if (idleTimeout.isZero()) {
            return false;
        }
        if (now - active < FrameClock.nanos(idleTimeout)) {
            return true;
        }
        stream.abort(new StreamResetException(ResetReason.TIMEOUT, "nothing came or went for " + idleTimeout));
        return false;
    }

    @Override
    public Channel channel() {
        return stream.channel();
    }
}
