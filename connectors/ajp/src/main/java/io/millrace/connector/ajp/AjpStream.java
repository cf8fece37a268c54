package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.AJP_FLUSH;
import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.serial.SerialCodec.Next;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response on an AJP connection. AJP has no interim responses: the front end sends those that are necessary. */
final class AjpStream extends SerialStream {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final AjpProtocol protocol;
    private final Channel channel;
    private final AjpBody body;
    private final AjpResponseWriter response;

    /** END_RESPONSE was sent, after which the front end does not accept a request for more of the body. */
    private boolean endSent;

    private boolean reusable = true;

    AjpStream(
            SerialConnection connection, AjpProtocol protocol, RequestHead request, ConnectionInfo info, AjpBody body) {
        super(connection, request);
        this.protocol = protocol;
        channel = connection.transport().channel().withoutFiles().with(info);
        this.body = body;
        response = new AjpResponseWriter(protocol, request.method());
    }

    // ---- the request's body

    @Override
    protected @Nullable Chunk readBody() throws IOException {
        if (endSent && !body.isExpected() && !body.isExhausted()) {
            throw new IOException(
                    "the response has ended; the rest of the request's body cannot be read over AJP after that");
        }
        requestMore();
        try {
            return body.read();
        } catch (BadPacketException bad) {
            throw protocol.malformed(bad, connection().transport());
        }
    }

    private void requestMore() {
        if (body.expectMore()) {
            connection().outbox().interject(ServerPackets.getBodyChunk(body.requestSize()));
        }
    }

    @Override
    protected boolean isBodyAtHand() {
        return body.isExhausted() || endSent && !body.isExpected();
    }

    /** Once the front end has begun to send a packet, or the response has ended, the client cannot delay the rest. */
    @Override
    protected Duration beginWait() {
        requestMore();
        return body.isArriving() || endSent
                ? protocol.packetTimeout()
                : AjpOptions.connectionTimeout(protocol.options());
    }

    @Override
    protected IOException overdue() {
        return new ProtocolException(
                Status.REQUEST_TIMEOUT, "The request's body was not received within the connectionTimeout");
    }

    // ---- the response

    @Override
    public void send(@Nullable ResponseHead head, Payload payload, boolean last, Completion completion) {
        ByteBuffer before = response.begin(head, payload.remaining(), last);
        BodyPackets.send(
                connection(),
                protocol.options().get(PACKET_SIZE),
                before,
                response.isBodiless() ? Payload.NOTHING : payload,
                last ? lastPacket() : flush(),
                completion);
    }

    private ByteBuffer flush() {
        return protocol.options().get(AJP_FLUSH) ? ServerPackets.flush() : NOTHING;
    }

    /**
     * END_RESPONSE is part of the last write, unless more of the request's body may still be read; and it is never sent for a
     * truncated response, which the front end would take for complete.
     */
    private ByteBuffer lastPacket() {
        boolean bodyWanted = body.isBegun() && !body.isExhausted();
        return bodyWanted || response.isCutOff() ? NOTHING : endPacket();
    }

    private ByteBuffer endPacket() {
        endSent = true;
        reusable = !connection().isDraining() && !isFailed();
        return ServerPackets.end(reusable);
    }

    /**
     * Not supported by AJP.
     *
     * @throws UnsupportedOperationException always; the response is 501
     */
    @Override
    public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
        protocol.log().upgradeRefused(request().path().decoded());
        String why = "AJP cannot carry WebSocket or any other upgrade;"
                + " configure the front end to send these requests over HTTP.";
        throw new UnsupportedOperationException(why, ProtocolException.explained(Status.NOT_IMPLEMENTED, why));
    }

    // ---- the end

    @Override
    public void end() {
        if (!response.isFinished()) {
            abort(new IllegalStateException("the exchange ended before its response"));
        } else if (response.isCutOff()) {
            abort(new IOException("the response is shorter than its Content-Length"));
        } else if (endSent) {
            ended();
        } else {
            connection().outbox().send(failed -> ended(), Payload.of(endPacket()));
        }
    }

    /** Discards a body packet that the front end was expected to send and that was not read. */
    @Override
    protected Next finish() throws IOException {
        if (!isPersistent()) {
            return Next.LAST;
        }
        try {
            return body.skip() ? Next.HANDLED : Next.PART_OF_BODY;
        } catch (BadPacketException bad) {
            protocol.log()
                    .malformed(
                            bad.defect(),
                            connection().transport().channel().info().remote());
            return Next.LAST; // the response may not have been sent completely
        } catch (ProtocolException tooShort) {
            return Next.LAST;
        }
    }

    @Override
    protected boolean isPersistent() {
        return reusable && !isFailed();
    }

    @Override
    protected boolean isAllUsed() {
        return !body.isExpected();
    }

    // ---- the connection

    @Override
    public Channel channel() {
        return channel;
    }
}
