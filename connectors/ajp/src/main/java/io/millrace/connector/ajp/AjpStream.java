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

/** One request and its response on an AJP connection. AJP has no interim responses: those that matter are the front end's. */
final class AjpStream extends SerialStream {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final AjpProtocol protocol;
    private final Channel channel;
    private final AjpBody body;
    private final AjpResponseWriter response;

    /** The front end was told that the response is over: it would not understand a request for more of the body. */
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
        if (endSent && !body.isComing() && !body.isExhausted()) {
            throw new IOException(
                    "the response has ended; the rest of the request's body cannot be read over AJP after that");
        }
        askForMore();
        try {
            return body.read();
        } catch (BadPacketException bad) {
            throw protocol.malformed(bad, connection().transport());
        }
    }

    private void askForMore() {
        if (body.askForMore()) {
            connection().outbox().interject(ServerPackets.getBodyChunk(body.wanted()));
        }
    }

    @Override
    protected boolean isBodyAtHand() {
        return body.isExhausted() || endSent && !body.isComing();
    }

    /** Once the front end has begun to send a packet, or the response has ended, the rest is not the client's to delay. */
    @Override
    protected Duration beginWait() {
        askForMore();
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
     * The end comes in one write with the rest, unless somebody may still want more of the body; and never if the front end
     * would take a response for whole that is not.
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
     * There is no way to do that.
     *
     * @throws UnsupportedOperationException always, to be answered by 501
     */
    @Override
    public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
        protocol.log().upgradeRefused(request().path().decoded());
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
        } else if (endSent) {
            ended();
        } else {
            connection().outbox().send(failed -> ended(), Payload.of(endPacket()));
        }
    }

    /** Reads the body packet that the front end has sent, or was asked for, and nobody read. */
    @Override
    protected Next finish() throws IOException {
        if (!isPersistent()) {
            return Next.LAST;
        }
        try {
            return body.swallow() ? Next.HANDLED : Next.PART_OF_BODY;
        } catch (BadPacketException bad) {
            protocol.log()
                    .malformed(
                            bad.defect(),
                            connection().transport().channel().info().remote());
            return Next.LAST; // the response may still be on its way
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
        return !body.isComing();
    }

    // ---- what it is on

    @Override
    public Channel channel() {
        return channel;
    }
}
