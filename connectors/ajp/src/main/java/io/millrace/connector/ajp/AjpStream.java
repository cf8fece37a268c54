package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.AJP_FLUSH;
import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;

import io.millrace.http.Headers;
import io.millrace.http.Method;
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

    @Override
    public Channel channel() {
        return channel;
    }

    /**
     * The framing of one response: encodes the head, and determines whether there is a body and whether it has its announced length.
     * Confined to the exchange's owner.
     *
     * <pre>
     * OPEN ──head──▶ STREAMING ──last──▶ FINISHED
     * </pre>
     */
    private static final class AjpResponseWriter {

        private static final int OWN_FIELDS = 80;
        private static final int PER_FIELD = 6;

        private enum State {
            OPEN,
            STREAMING,
            FINISHED
        }

        private final AjpProtocol protocol;
        private final String method;
        private State state = State.OPEN;
        private boolean bodiless;

        /** Octets announced and not sent yet; -1 if none were announced. */
        private long left = -1;

        AjpResponseWriter(AjpProtocol protocol, String method) {
            this.protocol = protocol;
            this.method = method;
        }

        boolean isFinished() {
            return state == State.FINISHED;
        }

        /** Whether the body has ended before its announced length, so that the front end must not take it for complete. */
        boolean isCutOff() {
            return left > 0;
        }

        /** Whether the response has no body, even if the application writes one. */
        boolean isBodiless() {
            return bodiless;
        }

        /** Begins the next piece of the response. Returns the packet before its data, or null if there is none. */
        @Nullable
        ByteBuffer begin(@Nullable ResponseHead head, long size, boolean last) {
            if (state == State.FINISHED || (head == null) == (state == State.OPEN)) {
                throw new IllegalStateException(
                        head == null ? "no head was sent before; " + state : "a second head was sent; " + state);
            }
            ByteBuffer packet = head == null ? null : encode(head, size, last);
            state = last ? State.FINISHED : State.STREAMING;
            if (!bodiless && left >= 0) {
                left -= size;
                if (left < 0) {
                    throw new IllegalStateException(
                            "the body has " + -left + " bytes more than the Content-Length that was sent");
                }
            }
            return packet;
        }

        private ByteBuffer encode(ResponseHead head, long firstBytes, boolean last) {
            Headers headers = head.headers();
            String reason = head.reason();
            ResponseEncoder encoder = new ResponseEncoder(
                    size(headers), head.status(), reason == null ? Status.reason(head.status()) : reason);
            for (int i = 0; i < headers.size(); i++) {
                if (!isFraming(headers.name(i))) {
                    encoder.field(headers.name(i), headers.value(i));
                }
            }
            long length = announcedLength(head, firstBytes, last);
            if (length >= 0) {
                encoder.field("Content-Length", Long.toString(length));
            }
            int maxSize = protocol.options().get(PACKET_SIZE);
            if (encoder.size() > maxSize) {
                protocol.log().headTooLarge(encoder.size(), maxSize);
                return replacement(head);
            }
            return encoder.end();
        }

        /** A head with status 500 and no body, which fits into a packet. */
        private ByteBuffer replacement(ResponseHead head) {
            int status = Status.INTERNAL_SERVER_ERROR;
            head.status(status); // for the access log
            bodiless = true;
            left = -1;
            ResponseEncoder encoder = new ResponseEncoder(OWN_FIELDS, status, Status.reason(status));
            encoder.field("Content-Length", "0");
            return encoder.end();
        }

        /** Determines whether there is a body, and its length. Returns the Content-Length; -1 for none. */
        private long announcedLength(ResponseHead head, long firstBytes, boolean last) {
            long length = head.contentLength() >= 0 || !last ? head.contentLength() : firstBytes;
            if (head.status() == Status.RESET_CONTENT) {
                bodiless = true; // RFC 9110, 15.3.6
                return 0;
            }
            if (Status.isBodiless(head.status())) {
                bodiless = true;
                return head.status() == Status.NOT_MODIFIED ? head.contentLength() : -1;
            }
            if (method.equals(Method.HEAD)) {
                bodiless = true;
                return length > 0 || head.contentLength() == 0
                        ? length
                        : -1; // the application may have omitted the body
            }
            left = length;
            return length;
        }

        /** Whether the field is set here, or by the front end. */
        private static boolean isFraming(String name) {
            return switch (name.length()) {
                case 10 -> name.equalsIgnoreCase("Connection");
                case 14 -> name.equalsIgnoreCase("Content-Length");
                case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
                default -> false;
            };
        }

        private static int size(Headers headers) {
            return OWN_FIELDS + headers.characters() + PER_FIELD * headers.size();
        }
    }
}
