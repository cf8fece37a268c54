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
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.Successor;
import io.millrace.protocol.UploadRate;
import io.millrace.protocol.serial.SerialCodec.Next;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response on an HTTP/1.1 connection. */
final class Http1Stream extends SerialStream {

    private static final byte[] CONTINUE = Octets.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final Http1Protocol protocol;
    private final BodyDecoder body;
    private final ResponseWriter response;
    private final UploadRate pace;

    /** The client may send another request after this one. */
    private final boolean another;

    /** The client waits for 100 before it sends its body. */
    private boolean expectsContinue;

    private long swallowed;

    Http1Stream(SerialConnection connection, Http1Protocol protocol, RequestHead request, Framing framing) {
        super(connection, request);
        this.protocol = protocol;
        another = framing.isPersistent(request.version());
        body = BodyDecoder.of(framing, connection.input(), protocol.options());
        response = new ResponseWriter(protocol.rules(), request, another, framing.asksForKeepAlive());
        pace = UploadRate.of(protocol.options(), Http1Options.uploadTimeout(protocol.options()));
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
            pace.came(chunk.bytes().remaining());
        }
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (pace.isOver() && !isFailed() && !body.isExhausted()) {
            fail(giveUp(Refusal.BODY_BELOW_RATE));
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
        pace.begin();
        return pace.limit(Http1Options.uploadTimeout(protocol.options()));
    }

    @Override
    protected void endWait() {
        pace.end();
    }

    @Override
    protected IOException overdue() {
        return giveUp(pace.isOver() ? Refusal.BODY_BELOW_RATE : Refusal.BODY_TOO_SLOW);
    }

    /** What the reader of a body gets whose client is too slow. The one line about it is written here. */
    private ProtocolException giveUp(Refusal why) {
        protocol.log().note(why, connection().transport().channel().info());
        return BodyRefusal.of(why);
    }

    @Override
    public @Nullable Headers trailers() {
        return body instanceof ChunkedBody chunked ? chunked.trailers() : null;
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

    /** Sends the last of a response: with the next one, if the next request is here already. */
    private void sendLast(Completion completion, Payload... writes) {
        if (connection().input().hasUnread() && !channel().mayBlock()) {
            connection().outbox().collect(protocol.guard(channel().timers()), completion, writes);
        } else {
            connection().outbox().send(completion, writes);
        }
    }

    @Override
    public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
        if (!response.isOpen() || !body.isExhausted() || request().version() == HttpVersion.HTTP_1_0) {
            throw new IllegalStateException("a connection can be upgraded only instead of a response, after the whole"
                    + " request's body was read, and in HTTP/1.1");
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

    /** Another protocol has the connection behind this head. */
    private void leave(ResponseHead head, Successor next) {
        var bytes = response.interim(head.status(), head.reason(), head.headers());
        SerialConnection mine = connection();
        mine.outbox().send(failed -> mine.switchTo(next, failed), Payload.of(bytes));
    }

    // ---- the end

    @Override
    public void end() {
        if (response.isFinished()) {
            ended();
        } else {
            abort(new IllegalStateException("the exchange ended before its response"));
        }
    }

    @Override
    protected Next finish() throws IOException {
        pace.end();
        return isPersistent() && !pace.isOver() ? swallow() : Next.LAST;
    }

    /** Drops what is left of the request; LAST if it is too much, or malformed. */
    private Next swallow() throws IOException {
        while (!body.isExhausted()) {
            if (isTooMuchToSwallow()) {
                return Next.LAST;
            }
            Chunk chunk;
            try {
                chunk = body.read();
            } catch (ProtocolException malformed) {
                return Next.LAST; // it is discarded anyway, and the response may still be among what is collected
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

    /** May another request follow this one, as far as is known before the response? */
    private boolean mayKeep() {
        int max = protocol.options().get(MAX_KEEP_ALIVE_REQUESTS);
        return !connection().isDraining()
                && (max < 0 || connection().requests() < max)
                && canBeSwallowed()
                && !isTooMuchToSwallow();
    }

    /** Will what is left of the request be readable after the response? The client may not send it without a 100. */
    private boolean canBeSwallowed() {
        return !isFailed() && !expectsContinue;
    }

    /** Is more left of the request, as far as that is known, than is worth reading to keep the connection? */
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
