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
 * stream, not of the connection. Each role adds how it sends and ends.
 */
public abstract class StreamTunnel implements HttpStream {

    private final MuxStream stream;
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
    protected StreamTunnel(MuxStream stream, Duration idleTimeout) {
        this.stream = stream;
        this.idleTimeout = idleTimeout;
    }

    /** Sends a piece of the tunnel's bytes; the last one ends our side. */
    protected abstract void sendRaw(Payload body, boolean last, Completion completion);

    /** Called when the tunnel is open. */
    public final void begin() {
        active = System.nanoTime();
        if (!idleTimeout.isZero()) {
            stream.connection().watch();
        }
    }

    @Override
    public final @Nullable Chunk read() throws IOException {
        Chunk chunk = stream.readRaw();
        if (chunk != null) {
            active = System.nanoTime();
        }
        return chunk;
    }

    @Override
    public final void awaitReadable(Runnable ready) {
        stream.awaitRaw(ready);
    }

    /** Sends nothing: a tunnel has no interim responses. */
    @Override
    public final void inform(int status, Headers headers, Completion completion) {
        completion.done(null);
    }

    /** Ignores the head, since one was sent. The last piece ends our side. */
    @Override
    public final void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        sendRaw(body, last, failure -> {
            active = System.nanoTime();
            completion.done(failure);
        });
    }

    @Override
    public final void tunnel(ResponseHead head, Duration timeout, Consumer<HttpStream> opened) {
        throw new UnsupportedOperationException("the stream is a tunnel already");
    }

    @Override
    public final void onDrain(Runnable listener) {
        synchronized (this) {
            if (!draining) {
                drainListener = listener;
                return;
            }
        }
        listener.run();
    }

    /** Called when this side is stopping. */
    public final void drain() {
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
    public final boolean sweep(long now) {
        if (idleTimeout.isZero()) {
            return false;
        }
        if (now - active < FrameClock.nanos(idleTimeout)) {
            return true;
        }
        abort(new StreamResetException(ResetReason.TIMEOUT, "no data in either direction for " + idleTimeout));
        return false;
    }

    @Override
    public final Channel channel() {
        return stream.channel();
    }
}
