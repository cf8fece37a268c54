package io.millrace.client.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.http.WebSocketAccept;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.InterimRate;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.MuxStream;
import io.millrace.protocol.mux.Priority;
import io.millrace.protocol.mux.StreamFault;
import io.millrace.protocol.mux.StreamTunnel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request to a server, and its response.
 *
 * <p><b>Threads.</b> One thread sends; another one reads: the connection's reader up to the response's head, then the
 * listener.
 */
final class MuxClientStream extends MuxStream implements ClientStream {

    private final MuxClientConnection connection;
    private final ClientRequest request;
    private final ResponseListener listener;

    /** Set by the thread that calls {@code onHead} or {@code onFailed}: the connection's reader, or one that aborts the stream. */
    private final AtomicBoolean notified = new AtomicBoolean();

    private final boolean asksForTunnel;
    private volatile boolean answered;
    private volatile boolean tunnel;
    private volatile boolean read;

    /** The stream of an exchange into which the tunnel was turned; null if it was not. */
    private volatile @Nullable Tunnel bytes;

    /** Confined to the connection's reader. */
    private final InterimRate interim = new InterimRate();

    /** The unsent rest of the Content-Length. Confined to the sender. */
    private long left;

    /** The start of the wait for the response's head. */
    private volatile long waitingSince = System.nanoTime();

    MuxClientStream(MuxClientConnection connection, int id, ClientRequest request, ResponseListener listener) {
        super(connection, id, true, -1, Priority.UNSAID, request.method());
        this.connection = connection;
        this.request = request;
        this.listener = listener;
        left = request.contentLength();
        asksForTunnel = request.upgrade() != null;
    }

    // ---- the request

    /** Called when the head is in a batch, or cannot be sent any more: {@link #onLost} reports that. */
    void onHeadSent(@Nullable Throwable failure) {
        if (failure == null) {
            watch();
            listener.onHeadSent(this);
        }
    }

    @Override
    public void send(ByteBuffer piece, boolean last, Completion completion) {
        if (!asksForTunnel && request.contentLength() >= 0) {
            left -= piece.remaining();
            if (left < 0 || last && left > 0) {
                throw new IllegalStateException("the length of the request's body differs from its Content-Length");
            }
        }
        sendPiece(new Payload.Bytes(piece), last, completion);
    }

    @Override
    public void trailers(Headers fields) {
        trail(fields);
    }

    // ---- the response, on the connection's reader

    /** Whether the response's head has arrived. */
    @Override
    protected boolean mayHaveBody() {
        return answered;
    }

    /** Counts an interim response. False if there are too many. */
    boolean mayInform() {
        return interim.take();
    }

    void inform(int status, Headers fields) {
        waitingSince = System.nanoTime();
        listener.onInform(status, fields);
    }

    /** The length of the body after this head, in octets; -1 if it is unknown. */
    long bodyLength(ResponseHead head) {
        if (opensTunnel(head)) {
            return -1; // a Content-Length is ignored (RFC 9110, 9.3.6)
        }
        boolean none = request.method().equals(Method.HEAD) || Status.isBodiless(head.status());
        return none ? 0 : head.contentLength();
    }

    void answer(ResponseHead head) {
        tunnel = opensTunnel(head);
        answered = true;
        if (notified.compareAndSet(false, true)) {
            listener.onHead(this, tunnel ? switched(head) : head);
        }
    }

    /** True for any 2xx status (RFC 8441, 4). */
    private boolean opensTunnel(ResponseHead head) {
        return asksForTunnel && head.status() / 100 == 2;
    }

    /** The head as it would be in HTTP/1.1, including the Sec-WebSocket-Accept field, which the server does not send. */
    private ResponseHead switched(ResponseHead opened) {
        ResponseHead head = new ResponseHead().status(Status.SWITCHING_PROTOCOLS);
        for (int i = 0; i < opened.headers().size(); i++) {
            head.headers().add(opened.headers().name(i), opened.headers().value(i));
        }
        String key = request.headers().get("Sec-WebSocket-Key");
        if (key != null) {
            head.headers().set("Sec-WebSocket-Accept", WebSocketAccept.of(key.strip()));
        }
        return head;
    }

    @Override
    public void tunnel(Duration idleTimeout, Consumer<HttpStream> opened) {
        if (!tunnel) {
            throw new IllegalStateException("the server has not opened a tunnel");
        }
        Tunnel made = new Tunnel(idleTimeout);
        bytes = made;
        made.begin();
        opened.accept(made);
    }

    @Override
    public boolean isForTunnel() {
        return asksForTunnel;
    }

    // ---- the response, on its owner

    @Override
    public @Nullable Chunk read() throws IOException {
        if (!answered) {
            throw new IllegalStateException("the response has no head yet");
        }
        if (read) {
            return Chunk.END;
        }
        Chunk chunk = readRaw();
        if (!tunnel && isBodyRead()) { // the other direction of a tunnel stays open
            read = true;
            answered();
        }
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        awaitRaw(ready);
    }

    @Override
    public boolean isRead() {
        return read;
    }

    // ---- the end

    @Override
    public void abort(@Nullable Throwable cause) {
        if (!read) {
            giveUp(new ClientException(Reason.ABORTED, maybe(), "the request was aborted", cause));
        }
    }

    private void giveUp(Throwable why) {
        if (reset(ResetReason.CANCEL, why)) {
            connection.requestGivenUp();
        }
    }

    /** A complete response can be read even if the stream fails afterwards (RFC 9113, 8.1). */
    @Override
    protected void failBody(Throwable why) {
        if (!isBodyWhole()) {
            fail(failure(why));
        }
    }

    @Override
    protected boolean isPeersRequest() {
        return false;
    }

    @Override
    protected void onLost(Throwable why) {
        if (answered && !tunnel && isBodyWhole()) {
            return;
        }
        Tunnel open = bytes;
        try {
            if (notified.compareAndSet(false, true)) {
                listener.onFailed(failure(why));
            } else if (open != null) {
                open.lost(why);
            }
        } finally {
            giveUp(why);
        }
    }

    private ClientException failure(Throwable why) {
        if (why instanceof ClientException known) {
            return known;
        }
        if (why instanceof StreamFault || why instanceof ConnectionFault) {
            String found = why instanceof ConnectionFault ? "found " : "";
            return new ClientException(
                    Reason.MALFORMED,
                    Processed.YES,
                    "the server's response was rejected: " + found + why.getMessage(),
                    why);
        }
        if (why instanceof StreamResetException reset && reset.reason() == ResetReason.REFUSED && !answered) {
            return new ClientException(
                    Reason.REFUSED, Processed.NO, "the server refused the request: " + why.getMessage(), why);
        }
        if (why instanceof StreamResetException reset && reset.reason() == ResetReason.TIMEOUT) {
            return new ClientException(Reason.TIMED_OUT, maybe(), "the request: " + why.getMessage(), why);
        }
        return new ClientException(
                Reason.CLOSED,
                maybe(),
                answered
                        ? "the server ended its response before it was complete: " + why.getMessage()
                        : "the server has not responded: " + why.getMessage(),
                why);
    }

    private Processed maybe() {
        return answered ? Processed.YES : Processed.MAYBE;
    }

    @Override
    protected void onExchangeOver() {
        connection.requestEnded(request);
    }

    /** Requests end by themselves; tunnels do not. */
    @Override
    protected void drain() {
        Tunnel open = bytes;
        if (open != null) {
            open.drain();
        }
    }

    /** The timeout of the response starts when the request has been sent completely. */
    @Override
    protected boolean sweep(long now) {
        Tunnel open = bytes;
        if (open != null) {
            return open.sweep(now);
        }
        Duration limit = connection.responseTimeout();
        if (limit.isZero() || read || tunnel) {
            return false;
        }
        long since = now - Delays.nanos(limit);
        boolean overdue = answered ? isBodyOverdue(since) : waitingSince - since < 0;
        if (!answered && !asksForTunnel && isSending()) {
            waitingSince = now;
        } else if (overdue) {
            String what = "the server sent nothing for " + limit.toMillis() + " ms";
            giveUp(new ClientException(Reason.TIMED_OUT, maybe(), what, null));
            return false;
        }
        return true;
    }

    /** The bytes of its tunnel. */
    private final class Tunnel extends StreamTunnel {

        /** Guarded by this. */
        private @Nullable Consumer<@Nullable Throwable> closeListener;

        Tunnel(Duration idleTimeout) {
            super(MuxClientStream.this, idleTimeout);
        }

        @Override
        protected void sendRaw(Payload body, boolean last, Completion completion) {
            if (!(body instanceof Payload.Bytes piece)) {
                throw new IllegalArgumentException("files are not sent through a client's tunnel");
            }
            sendPiece(piece, last, completion);
        }

        /** What the peer still sends is not read. */
        @Override
        public void end() {
            read = true;
            answered();
        }

        @Override
        public void abort(@Nullable Throwable cause) {
            ResetReason reason = cause == null ? ResetReason.CANCEL : ResetReason.of(cause);
            if (reset(reason, cause == null ? new StreamResetException(reason, "the tunnel was aborted") : cause)) {
                connection.requestGivenUp();
            }
        }

        @Override
        public void onClosed(Consumer<@Nullable Throwable> listener) {
            synchronized (this) {
                closeListener = listener;
            }
            Throwable why = lostBy();
            if (why != null) {
                lost(why);
            }
        }

        /** The stream was reset, or the connection is closed. */
        void lost(Throwable why) {
            Consumer<@Nullable Throwable> listener;
            synchronized (this) {
                listener = closeListener;
                closeListener = null;
            }
            if (listener != null) {
                listener.accept(why);
            }
        }
    }
}
