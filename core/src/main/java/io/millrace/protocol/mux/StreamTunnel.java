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
 * A stream that carries the bytes of another protocol as DATA in both directions (RFC 8441, 5). Its end is that of the
 * stream, not of the connection.
 */
final class StreamTunnel implements HttpStream {

    private final MuxServerStream stream;
    private final Duration idleTimeout;
    private volatile long active = System.nanoTime();

    // guarded by this
    private @Nullable Runnable drainListener;
    private boolean draining;

    /**
     * A tunnel that has not begun.
     *
     * @param idleTimeout how long both directions may be idle; zero for no limit
     */
    StreamTunnel(MuxServerStream stream, Duration idleTimeout) {
        this.stream = stream;
        this.idleTimeout = idleTimeout;
    }

    /** Called when the head was sent. */
    void begin() {
        active = System.nanoTime();
        if (!idleTimeout.isZero()) {
            stream.connection().watch();
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

    /** Sends nothing: a tunnel has no interim responses. */
    @Override
    public void inform(int status, Headers headers, Completion completion) {
        completion.done(null);
    }

    /** Ignores the head, since one was sent. The last piece ends our side. */
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

    /** Called when the server is stopping. */
    void drain() {
        Runnable listener;
        synchronized (this) {
            draining = true;
            listener = drainListener;
            drainListener = null;
        }
        if (listener != null) {
            listener.run();
        }
    }

    /** Resets the tunnel if both directions have been idle for too long. True if the timeout is still running. */
    boolean sweep(long now) {
        if (idleTimeout.isZero()) {
            return false;
        }
        if (now - active < FrameClock.nanos(idleTimeout)) {
            return true;
        }
        stream.abort(new StreamResetException(ResetReason.TIMEOUT, "no data in either direction for " + idleTimeout));
        return false;
    }

    @Override
    public Channel channel() {
        return stream.channel();
    }
}
