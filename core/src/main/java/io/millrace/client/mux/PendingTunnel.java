package io.millrace.client.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request for a tunnel that waits for the server's settings, which must allow it (RFC 8441, 3), at most for the timeout of
 * a response. Then it forwards to the stream.
 *
 * <p><b>Threads.</b> The thread that ends the state WAITING notifies the listener, or starts the stream.
 */
final class PendingTunnel implements ClientStream {

    private enum State {
        WAITING,
        STARTED,
        /** Aborted while its stream was being started. */
        ABORTED,
        FAILED
    }

    private final MuxClientConnection connection;
    private final ClientRequest request;
    private final ResponseListener listener;

    // guarded by this
    private State state = State.WAITING;
    private @Nullable ClientStream stream;
    private Timers.@Nullable Timer timer;

    PendingTunnel(MuxClientConnection connection, ClientRequest request, ResponseListener listener) {
        this.connection = connection;
        this.request = request;
        this.listener = listener;
    }

    /** Sets the timeout of the wait; zero for none. */
    synchronized void waitFor(Timers timers, Duration timeout) {
        if (!timeout.isZero() && state == State.WAITING) {
            String why = "the server sent no settings for " + timeout.toMillis() + " ms";
            timer = timers.schedule(() -> fail(Reason.TIMED_OUT, Processed.NO, why), timeout);
        }
    }

    /** Called when the settings have arrived. */
    void proceed(MuxClientConnection.TunnelSupport support) {
        if (support != MuxClientConnection.TunnelSupport.YES) {
            fail(Reason.UNSUPPORTED, Processed.NO, MuxClientConnection.NO_TUNNELS);
            return;
        }
        if (!leave(State.STARTED)) {
            return;
        }
        ClientStream started = begin();
        if (started == null) {
            return;
        }
        boolean aborted;
        synchronized (this) {
            stream = started;
            aborted = state == State.ABORTED;
        }
        if (aborted) {
            started.abort(null);
        }
    }

    /** Null if there is no stream; the listener has been notified, whatever was thrown. */
    private @Nullable ClientStream begin() {
        ClientStream started;
        try {
            started = connection.begin(request, listener);
        } catch (RuntimeException | Error thrown) {
            end(Reason.INTERNAL, Processed.NO, "the request could not be sent: " + thrown, thrown);
            return null;
        }
        if (started == null) {
            String why = "the server accepts no more requests on this connection";
            listener.onFailed(new ClientException(Reason.REFUSED, Processed.NO, why, null));
        }
        return started;
    }

    /** Fails the request without a stream. */
    void fail(Reason reason, Processed processed, String why) {
        if (leave(State.FAILED)) {
            end(reason, processed, why, null);
        }
    }

    /** Notifies the listener, and frees the request's slot on the connection. */
    private void end(Reason reason, Processed processed, String why, @Nullable Throwable cause) {
        try {
            listener.onFailed(new ClientException(reason, processed, why, cause));
        } finally {
            connection.requestEnded(request);
        }
    }

    /** False if it is no longer waiting. */
    private boolean leave(State to) {
        Timers.Timer running;
        synchronized (this) {
            if (state != State.WAITING) {
                return false;
            }
            state = to;
            running = timer;
        }
        connection.forget(this);
        if (running != null) {
            running.cancel();
        }
        return true;
    }

    private synchronized ClientStream stream() {
        if (stream == null) {
            throw new IllegalStateException("the request has not been sent yet");
        }
        return stream;
    }

    @Override
    public void send(ByteBuffer piece, boolean last, Completion completion) {
        stream().send(piece, last, completion);
    }

    @Override
    public void trailers(Headers fields) {
        stream().trailers(fields);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return stream().read();
    }

    @Override
    public void awaitReadable(Runnable ready) {
        stream().awaitReadable(ready);
    }

    @Override
    public synchronized boolean isRead() {
        return stream != null && stream.isRead();
    }

    @Override
    public @Nullable Headers trailers() {
        return stream().trailers();
    }

    @Override
    public void tunnel(Duration idleTimeout, Consumer<HttpStream> opened) {
        stream().tunnel(idleTimeout, opened);
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        ClientStream started;
        synchronized (this) {
            started = stream;
            state = started == null && state == State.STARTED ? State.ABORTED : state;
        }
        if (started != null) {
            started.abort(cause);
        } else {
            fail(Reason.ABORTED, Processed.NO, "the request was aborted");
        }
    }
}
