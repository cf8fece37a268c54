package io.millrace.connector.ajp;

import io.millrace.http.Headers;
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
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response on an AJP connection. */
final class AjpStream implements HttpStream {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final AjpConnection connection;
    private final RequestHead request;
    private final ConnectionInfo info;
    private final AjpBody body;
    private final ResponseWriter response;
    private final DispatchCall call = new DispatchCall();
    private final CloseNotice notice = new CloseNotice();
    private @Nullable Runnable waiting;
    private @Nullable IOException failure;

    /** The front end was told that the response is over: it would not understand a request for more of the body. */
    private boolean ended;

    private boolean reusable = true;

    AjpStream(AjpConnection connection, RequestHead request, ConnectionInfo info, AjpBody body) {
        this.connection = connection;
        this.request = request;
        this.info = info;
        this.body = body;
        response = new ResponseWriter(connection.protocol(), request.method());
    }

    // ---- the request's body

    @Override
    public @Nullable Chunk read() throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            askForMore();
            return body.read();
        } catch (BadPacketException bad) {
            connection.malformed(bad);
            failure = bad;
            throw bad;
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (failure != null
                || body.isExhausted()
                || ended && !body.isComing()
                || connection.input().hasUnread()) {
            ready.run();
            return;
        }
        if (body.askForMore()) {
            connection.outbox().interject(ServerPackets.getBodyChunk(body.wanted()));
        }
        waiting = ready;
        connection.awaitBody(this);
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        connection.transport().await(latch);
    }

    private void askForMore() throws IOException {
        if (ended && !body.isComing() && !body.isExhausted()) {
            throw new IOException("the response has ended, and AJP asks for no more of the request's body after that");
        }
        if (body.askForMore()) {
            connection.outbox().interject(ServerPackets.getBodyChunk(body.wanted()));
        }
    }

    // ---- the response

    /** AJP has no interim responses: those that matter are the front end's own. */
    @Override
    public void inform(int status, Headers headers, Completion completion) {
        if (status < 100 || status > 199 || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + status + "; expected an interim one, not 101");
        }
        connection.outbox().send(Piece.empty(completion));
    }

    @Override
    public void send(@Nullable ResponseHead head, Payload payload, boolean last, Completion completion) {
        ByteBuffer before = response.begin(head, payload.remaining(), last);
        BodyPackets.send(
                connection,
                before,
                response.isBodiless() ? Payload.NOTHING : payload,
                last ? lastPacket() : flush(),
                completion);
    }

    private ByteBuffer flush() {
        return connection.protocol().options().ajpFlush() ? ServerPackets.flush() : NOTHING;
    }

    /**
     * The end comes in one write with the rest, unless somebody may still want more of the body; and never if the front end
     * would take a response for whole that is not.
     */
    private ByteBuffer lastPacket() {
        boolean bodyWanted = body.isBegun() && !body.isExhausted();
        return bodyWanted || response.isCutOff() ? NOTHING : endPacket();
    }

    private ByteBuffer endPacket() {
        ended = true;
        reusable = connection.mayKeep() && failure == null;
        return ServerPackets.end(reusable);
    }

    /**
     * There is no way to do that.
     *
     * @throws UnsupportedOperationException always, to be answered by 501
     */
    @Override
    public void switchTo(ResponseHead head, Protocol next) {
        connection.protocol().log().upgradeRefused(request.path().decoded());
        String why = "AJP can't hand over its connection, so there is no upgrade and no WebSocket;"
                + " the front end has to send such requests by HTTP.";
        throw new UnsupportedOperationException(why, ProtocolException.explained(Status.NOT_IMPLEMENTED, why));
    }

    // ---- the end

    @Override
    public void end() {
        if (!response.isFinished()) {
            abort(new IllegalStateException("the exchange ended before its response"));
        } else if (response.isCutOff()) {
            abort(new IOException("the response is shorter than its Content-Length"));
        } else if (ended) {
            goOn();
        } else {
            connection.outbox().send(Piece.of(endPacket(), Payload.NOTHING, failed -> goOn()));
        }
    }

    private void goOn() {
        if (call.ended()) {
            connection.continueAfter();
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

    // ---- what it is on

    @Override
    public boolean mayBlock() {
        return connection.transport().mayBlock();
    }

    @Override
    public ConnectionInfo info() {
        return info;
    }

    @Override
    public BufferPool buffers() {
        return connection.transport().buffers();
    }

    // ---- what the connection asks

    RequestHead request() {
        return request;
    }

    AjpBody body() {
        return body;
    }

    /** The dispatching call has returned. True if the exchange is over, and the caller goes on. */
    boolean dispatched() {
        return call.returned();
    }

    /** May another request follow? */
    boolean isReusable() {
        return reusable && failure == null;
    }

    /** The wait for the body is over, for better or worse. */
    void bodyReadable(@Nullable IOException problem) {
        if (problem != null) {
            failure = problem;
        }
        Runnable ready = waiting;
        waiting = null;
        if (ready != null) {
            ready.run();
        }
    }

    /** The connection was closed before the exchange was over. Once, on the connection's thread. */
    void connectionClosed(@Nullable Throwable cause) {
        notice.closed(cause);
    }
}
