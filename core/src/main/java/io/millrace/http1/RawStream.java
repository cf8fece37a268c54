package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection after an upgrade, as the stream of one exchange: its bytes are not framed, and its end is that of the
 * connection. Keeps no reference to the request that caused the upgrade.
 *
 * <p><b>Threads.</b> The exchange's owner reads and writes; the connection's thread notifies.
 */
final class RawStream implements HttpStream, ConnectionHandler {

    /** How long the connection stays open after its end was sent, so that the peer receives it. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final Connection connection;
    private final Duration idleTimeout;

    // guarded by this
    private @Nullable Chunk unread;
    private @Nullable Runnable waiting;
    private @Nullable Consumer<@Nullable Throwable> closeListener;
    private @Nullable Runnable drainListener;
    private boolean draining;
    private @Nullable Consumer<HttpStream> opened;
    private boolean awaiting;
    private boolean ended;
    private long lingerUntil;
    private boolean closed;
    private @Nullable Throwable closedBy;

    /**
     * A tunnel that is not installed yet.
     *
     * @param idleTimeout how long both directions may be idle; zero for no limit
     * @param opened receives this stream when it is installed
     */
    RawStream(Connection connection, @Nullable Chunk unread, Duration idleTimeout, Consumer<HttpStream> opened) {
        this.connection = connection;
        this.unread = unread;
        this.idleTimeout = idleTimeout;
        this.opened = opened;
    }

    // ---- called by the connection

    @Override
    public void onReadable() {
        Consumer<HttpStream> first;
        boolean lingering;
        synchronized (this) {
            first = opened;
            opened = null;
            awaiting = false;
            lingering = ended;
        }
        if (first != null) {
            connection.idleTimeout(idleTimeout);
            first.accept(this);
        } else if (lingering) {
            dropInput();
        } else {
            runWaiting();
        }
    }

    private void runWaiting() {
        Runnable ready;
        synchronized (this) {
            ready = waiting;
            waiting = null;
        }
        if (ready != null) {
            ready.run();
        }
    }

    @Override
    public void onIdle() {
        boolean lingering;
        synchronized (this) {
            lingering = ended;
        }
        if (lingering) {
            connection.close(null);
        } else {
            connection.reset(
                    new StreamResetException(ResetReason.TIMEOUT, "no data was received or sent for " + idleTimeout));
        }
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        Chunk dropped;
        Consumer<@Nullable Throwable> listener;
        synchronized (this) {
            closed = true;
            closedBy = cause;
            dropped = unread;
            unread = null;
            listener = closeListener;
            closeListener = null;
        }
        if (dropped != null) {
            dropped.release();
        }
        runWaiting();
        if (listener != null) {
            listener.accept(cause);
        }
    }

    /** Notifies the exchange, which may end; otherwise it continues until the end of the grace period. */
    @Override
    public void drain() {
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

    // ---- called by the exchange

    @Override
    public @Nullable Chunk read() throws IOException {
        Chunk kept;
        synchronized (this) {
            kept = unread;
            unread = null;
        }
        return kept != null ? kept : connection.read();
    }

    @Override
    public void awaitReadable(Runnable ready) {
        boolean await;
        boolean now;
        synchronized (this) {
            now = closed || unread != null;
            await = !now && !awaiting;
            if (!now) {
                waiting = ready;
                awaiting = true;
            }
        }
        if (now) {
            ready.run();
        } else if (await) {
            connection.awaitReadable();
        }
    }

    /** Sends nothing: a tunnel has no interim responses. */
    @Override
    public void inform(int status, Headers headers, Completion completion) {
        completion.done(null);
    }

    /** Ignores the head, since 101 was sent. The last piece ends the output. */
    @Override
    public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        Completion sent = last ? failure -> finish(failure, completion) : sent(completion);
        if (body.remaining() == 0) {
            sent.done(null);
        } else {
            connection.write(body, sent);
        }
    }

    /** Output restarts the idle timeout too: the peer may only receive. */
    private Completion sent(Completion completion) {
        if (idleTimeout.isZero()) {
            return completion;
        }
        return failure -> {
            connection.idleTimeout(idleTimeout);
            completion.done(failure);
        };
    }

    private void finish(@Nullable Throwable failure, Completion completion) {
        if (failure == null) {
            connection.finish(completion);
        } else {
            completion.done(failure);
        }
    }

    @Override
    public void tunnel(ResponseHead head, Duration timeout, Consumer<HttpStream> next) {
        throw new UnsupportedOperationException("the connection was upgraded already");
    }

    /** Gives the peer time to receive our output: closing with unread input would reset the connection and might discard it. */
    @Override
    public void end() {
        synchronized (this) {
            ended = true;
            lingerUntil = System.nanoTime() + LINGER.toNanos();
        }
        connection.idleTimeout(LINGER);
        dropInput();
    }

    private void dropInput() {
        try {
            Chunk chunk = read();
            while (chunk != null && !chunk.isEnd() && isLingering()) {
                chunk.release();
                chunk = read();
            }
            if (chunk == null && isLingering()) {
                linger();
                return;
            }
            if (chunk != null) {
                chunk.release();
            }
            connection.close(null);
        } catch (IOException broken) {
            connection.close(broken);
        }
    }

    private synchronized boolean isLingering() {
        return lingerUntil - System.nanoTime() > 0;
    }

    private void linger() {
        boolean await;
        synchronized (this) {
            await = !awaiting;
            awaiting = true;
        }
        if (await) {
            connection.awaitReadable();
        }
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        connection.reset(cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> listener) {
        Throwable cause;
        synchronized (this) {
            if (!closed) {
                closeListener = listener;
                return;
            }
            cause = closedBy;
        }
        listener.accept(cause);
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

    @Override
    public Channel channel() {
        return connection.channel();
    }
}
