package io.millrace.http1;

import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;
import static io.millrace.http1.Http1Options.MAX_SWALLOW_SIZE;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.Successor;
import io.millrace.protocol.SwitchingStream;
import io.millrace.protocol.serial.SerialCodec.Next;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response on an HTTP/1.1 connection. */
final class Http1Stream extends SerialStream implements SwitchingStream {

    private static final byte[] CONTINUE = Octets.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final Http1Protocol protocol;
    private final BodyDecoder body;
    private final ResponseWriter response;
    private final BodyRate rate;

    /** Whether the client may send another request after this one. */
    private final boolean another;

    /** Whether the client waits for 100 (Continue) before it sends its body. */
    private boolean expectsContinue;

    private long swallowed;

    Http1Stream(SerialConnection connection, Http1Protocol protocol, RequestHead request, Framing framing) {
        super(connection, request);
        this.protocol = protocol;
        another = framing.isPersistent(request.version());
        body = BodyDecoder.of(framing, connection.input(), protocol.options());
        response = new ResponseWriter(protocol.rules(), request, another, framing.asksForKeepAlive());
        rate = body.isExhausted()
                ? BodyRate.any()
                : BodyRate.ofUploads(protocol.options(), Http1Options.uploadTimeout(protocol.options()));
        expectsContinue = framing.expectsContinue(request.version());
    }

    // ---- the request's body

    @Override
    protected @Nullable Chunk readBody() throws IOException {
        if (expectsContinue) {
            sendContinue();
        }
        return counted(body.read());
    }

    private @Nullable Chunk counted(@Nullable Chunk chunk) {
        if (chunk != null) {
            rate.came(chunk.bytes().remaining());
        }
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (rate.isOver() && !isFailed() && !body.isExhausted()) {
            fail(giveUp(RequestFault.BODY_BELOW_RATE));
        }
        super.awaitReadable(ready);
    }

    @Override
    protected boolean isBodyAtHand() {
        return body.isExhausted();
    }

    @Override
    protected Duration beginWait() {
        if (expectsContinue) {
            sendContinue();
        }
        rate.begin();
        return rate.limit(Http1Options.uploadTimeout(protocol.options()));
    }

    @Override
    protected void endWait() {
        rate.end();
    }

    @Override
    protected IOException overdue() {
        return giveUp(rate.isOver() ? RequestFault.BODY_BELOW_RATE : RequestFault.BODY_TOO_SLOW);
    }

    /** Logs that the client is too slow, and returns the exception for the reader of the body. */
    private ProtocolException giveUp(RequestFault why) {
        if (why == RequestFault.BODY_BELOW_RATE) {
            channel().limits().reached(Limit.UPLOAD_RATE);
        } else {
            why.countIn(channel().limits());
        }
        protocol.log().note(why, connection().transport().channel().info());
        return why.inBody();
    }

    @Override
    public @Nullable Headers trailers() {
        return body instanceof ChunkedBody chunked ? chunked.trailers() : null;
    }

    /** Sends 100 (Continue) before the exchange begins, if the client waits for it. */
    void askForBody() {
        if (expectsContinue) {
            sendContinue();
        }
    }

    /** Sends 100 (Continue), unless the body is arriving already (RFC 9110, 10.1.1) or the response has begun. */
    private void sendContinue() {
        expectsContinue = false;
        if (response.isOpen() && !connection().input().hasUnread()) {
            connection().outbox().send(Completion.IGNORE, Payload.of(ByteBuffer.wrap(CONTINUE)));
        }
    }

    // ---- the response

    @Override
    protected void sendInterim(int status, Headers headers, Completion completion) {
        if (request().version() == HttpVersion.HTTP_1_0) {
            super.sendInterim(status, headers, completion);
            return;
        }
        expectsContinue &= status != Status.CONTINUE;
        connection().outbox().send(completion, Payload.of(response.interim(status, null, headers)));
    }

    @Override
    public void send(@Nullable ResponseHead head, Payload payload, boolean last, Completion completion) {
        if (head != null && !mayKeep()) {
            response.doNotPersist();
        }
        Payload[] writes = response.write(head, payload, last);
        if (last && response.isPersistent()) {
            sendLast(completion, writes);
        } else {
            connection().outbox().send(completion, writes);
        }
    }

    /** Sends the last piece of a response: together with the next response, if the next request has arrived. */
    private void sendLast(Completion completion, Payload... writes) {
        if (connection().input().hasUnread() && !channel().mayBlock()) {
            connection().outbox().collect(protocol.guard(channel().timers()), completion, writes);
        } else {
            connection().outbox().send(completion, writes);
        }
    }

    @Override
    public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
        if (!response.isOpen()) {
            throw new IllegalStateException("a connection can be upgraded only before the response has begun");
        }
        if (!body.isExhausted() || request().version() == HttpVersion.HTTP_1_0) {
            String why =
                    "An upgrade requires HTTP/1.1, and a request without a body, or whose body was read completely.";
            throw new IllegalStateException(why, ProtocolException.explained(Status.BAD_REQUEST, why));
        }
        if (head.status() != Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + head.status() + "; expected 101");
        }
        leave(head, (connection, unread) -> new RawStream(connection, unread, idleTimeout, opened));
    }

    @Override
    public boolean switchTo(ResponseHead head, Successor next) {
        boolean possible = response.isOpen() && body.isExhausted() && another && mayKeep();
        if (possible) {
            leave(head, next);
        }
        return possible;
    }

    /** Sends this head, and passes the connection to another protocol. */
    private void leave(ResponseHead head, Successor next) {
        var bytes = response.interim(head.status(), head.reason(), head.headers());
        SerialConnection connection = connection();
        connection.outbox().send(failed -> connection.switchTo(next, failed), Payload.of(bytes));
    }

    // ---- the end

    @Override
    public void end() {
        if (response.isFinished()) {
            ended();
        } else {
            abort(new IllegalStateException("the exchange ended before its response was complete"));
        }
    }

    @Override
    protected Next finish() throws IOException {
        rate.end();
        return isPersistent() && !rate.isOver() ? swallow() : Next.LAST;
    }

    /** Discards the rest of the request; LAST if it is too large, or malformed. */
    private Next swallow() throws IOException {
        while (!body.isExhausted()) {
            if (isTooMuchToSwallow()) {
                return Next.LAST;
            }
            Chunk chunk;
            try {
                chunk = body.read();
            } catch (ProtocolException malformed) {
                return Next.LAST; // not thrown, because the response may still be buffered
            }
            if (chunk == null) {
                return Next.PART_OF_BODY;
            }
            swallowed += chunk.bytes().remaining();
            counted(chunk);
            chunk.release();
        }
        return Next.HANDLED;
    }

    /** Whether the connection may be kept, as far as is known before the response. */
    private boolean mayKeep() {
        int max = protocol.options().get(MAX_KEEP_ALIVE_REQUESTS);
        return !connection().isDraining()
                && (max < 0 || connection().requests() < max)
                && canBeSwallowed()
                && !isTooMuchToSwallow();
    }

    /** Whether the rest of the request can be read after the response. A client that waits for a 100 may never send it. */
    private boolean canBeSwallowed() {
        return !isFailed() && !expectsContinue;
    }

    /** Whether the rest of the request, as far as its length is known, exceeds maxSwallowSize. */
    private boolean isTooMuchToSwallow() {
        long max = protocol.options().get(MAX_SWALLOW_SIZE);
        return max >= 0 && swallowed + Math.max(0, body.left()) > max;
    }

    @Override
    protected boolean isPersistent() {
        return response.isPersistent() && canBeSwallowed();
    }

    @Override
    protected boolean isEndedByClose() {
        return response.isEndedByClose();
    }

    @Override
    protected boolean isAllUsed() {
        return body.isExhausted();
    }

    /** RFC 9112, 9.3 and 9.6. */
    @Override
    protected boolean isPeersLast() {
        return !another;
    }
}
