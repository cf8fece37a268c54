package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.serial.CloseNotice;
import io.millrace.protocol.serial.DispatchCall;
import io.millrace.protocol.serial.Piece;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response on an HTTP/1.1 connection. */
final class Http1Stream implements HttpStream {

    private static final byte[] CONTINUE = Octets.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final Http1Connection connection;
    private final RequestHead request;
    private final RequestBody body;
    private final ResponseWriter response;
    private final UploadPace pace;
    private final DispatchCall call = new DispatchCall();

    /** The client may send another request after this one. */
    private final boolean another;

    /** The client waits for 100 before it sends its body. */
    private boolean expectsContinue;

    private long swallowed;
    private @Nullable Runnable waiting;
    private @Nullable IOException failure;
    private final CloseNotice notice = new CloseNotice();

    Http1Stream(Http1Connection connection, Http1Protocol protocol, RequestHead request, Framing framing) {
        this.connection = connection;
        this.request = request;
        another = framing.isPersistent(request.version());
        body = RequestBody.of(framing, connection.input(), protocol.options());
        response = new ResponseWriter(protocol.rules(), request, another, framing.asksForKeepAlive());
        pace = UploadPace.of(protocol.options());
        expectsContinue = framing.expectsContinue(request.version());
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (expectsContinue) {
            sendContinue();
        }
        try {
            return counted(body.read());
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    private @Nullable Chunk counted(@Nullable Chunk chunk) {
        if (chunk != null) {
            pace.came(chunk.bytes().remaining());
        }
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (pace.isOver() && failure == null && !body.isExhausted()) {
            failure = connection.giveUp(Refusal.BODY_BELOW_RATE);
        }
        if (failure != null || body.isExhausted() || connection.input().hasUnread()) {
            ready.run();
            return;
        }
        if (expectsContinue) {
            sendContinue();
        }
        waiting = ready;
        pace.begin();
        connection.awaitBody(this);
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        connection.transport().await(latch);
    }

    @Override
    public @Nullable Headers trailers() {
        return body instanceof ChunkedBody chunked ? chunked.trailers() : null;
    }

    @Override
    public void inform(int status, Headers headers, Completion completion) {
        if (status < 100 || status > 199 || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + status + "; expected an interim one, not 101");
        }
        if (request.version() == HttpVersion.HTTP_1_0) {
            connection.outbox().send(Piece.empty(completion));
            return;
        }
        expectsContinue &= status != Status.CONTINUE;
        connection.outbox().send(Piece.of(response.interim(status, null, headers), Payload.NOTHING, completion));
    }

    @Override
    public void send(@Nullable ResponseHead head, Payload payload, boolean last, Completion completion) {
        if (head != null && !connection.mayKeep(this)) {
            response.doNotPersist();
        }
        Piece piece = response.write(head, payload, last, completion);
        if (last && response.isPersistent()) {
            connection.sendLast(piece);
        } else {
            connection.outbox().send(piece);
        }
    }

    @Override
    public void switchTo(ResponseHead head, Protocol next) {
        if (!response.isOpen() || !body.isExhausted() || request.version() == HttpVersion.HTTP_1_0) {
            throw new IllegalStateException("the protocol can be switched only instead of a response, after the whole"
                    + " request's body was read, and in HTTP/1.1");
        }
        if (head.status() != Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + head.status() + "; expected 101");
        }
        var bytes = response.interim(head.status(), head.reason(), head.headers());
        connection.outbox().send(Piece.of(bytes, Payload.NOTHING, failed -> connection.switchTo(next, failed)));
    }

    @Override
    public void end() {
        if (!response.isFinished()) {
            abort(new IllegalStateException("the exchange ended before its response"));
        } else if (call.ended()) {
            connection.continueAfter(this);
        }
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        connection.transport().close(cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> listener) {
        if (notice.register(listener)) {
            connection.watch();
        }
    }

    /** The connection was closed before the exchange was over. Once, on the connection's thread. */
    void connectionClosed(@Nullable Throwable cause) {
        notice.closed(cause);
    }

    @Override
    public boolean mayBlock() {
        return connection.transport().mayBlock();
    }

    @Override
    public boolean sendsFiles() {
        return connection.transport().sendsFiles();
    }

    @Override
    public ConnectionInfo info() {
        return connection.transport().info();
    }

    @Override
    public BufferPool buffers() {
        return connection.transport().buffers();
    }

    /** The dispatching call has returned. True if the exchange is over, and the caller goes on. */
    boolean dispatched() {
        return call.returned();
    }

    RequestBody body() {
        return body;
    }

    /** Will what is left of the request be readable after the response? The client may not send it without a 100. */
    boolean canBeSwallowed() {
        return failure == null && !expectsContinue;
    }

    /** Is more left of the request, as far as that is known, than is worth reading to keep the connection? */
    boolean isTooMuchToSwallow(long max) {
        return max >= 0 && swallowed + Math.max(0, body.left()) > max;
    }

    /** Drops what is left of the request. NEED_MORE: more of it has to come; REFUSED: it is too much, or malformed. */
    Parsing swallow(long max) throws IOException {
        while (!body.isExhausted()) {
            if (isTooMuchToSwallow(max)) {
                return Parsing.REFUSED;
            }
            Chunk chunk;
            try {
                chunk = body.read();
            } catch (ProtocolException malformed) {
                return Parsing.REFUSED; // nobody wanted it, and the response may still be among what is collected
            }
            if (chunk == null) {
                return Parsing.NEED_MORE;
            }
            swallowed += chunk.bytes().remaining();
            counted(chunk);
            chunk.release();
        }
        return Parsing.COMPLETE;
    }

    /** May another request follow on the connection? */
    boolean isPersistent() {
        return response.isPersistent() && canBeSwallowed();
    }

    /** The client has said that it sends nothing behind this request (RFC 9112, 9.3 and 9.6). */
    boolean isClientsLast() {
        return !another;
    }

    UploadPace pace() {
        return pace;
    }

    /** The wait for the body was too long. */
    void bodyOverdue() {
        pace.end();
        bodyReadable(connection.giveUp(pace.isOver() ? Refusal.BODY_BELOW_RATE : Refusal.BODY_TOO_SLOW));
    }

    /** The wait for the body is over, for better or worse. */
    void bodyReadable(@Nullable IOException problem) {
        pace.end();
        if (problem != null) {
            failure = problem;
        }
        Runnable ready = waiting;
        waiting = null;
        if (ready != null) {
            ready.run();
        }
    }

    /** Before the exchange begins, for a client that waits. */
    void askForBody() {
        if (expectsContinue) {
            sendContinue();
        }
    }

    /** Not if the body is coming anyway (RFC 9110, 10.1.1), nor after the final response. */
    private void sendContinue() {
        expectsContinue = false;
        if (response.isOpen() && !connection.input().hasUnread()) {
            connection.outbox().send(Piece.of(CONTINUE, Completion.IGNORE));
        }
    }
}
