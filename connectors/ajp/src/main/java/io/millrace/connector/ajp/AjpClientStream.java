package io.millrace.connector.ajp;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ResponseListener;
import io.millrace.client.serial.SerialClientSession;
import io.millrace.client.serial.SerialClientStream;
import io.millrace.connector.ajp.ResponsePackets.Packet;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.ProtocolOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request on a connection to an AJP server, and its response. {@link ResponseState} defines the permitted packets, and {@link
 * AjpUpload} sends the body when the server requests it.
 *
 * <p><b>Threads.</b> One thread sends, one reads. The reader also handles requests for the body, which the server sends between
 * the packets of its response.
 */
final class AjpClientStream extends SerialClientStream {

    private final AjpClient client;
    private final LastUse lastUse;
    private final ClientRequest request;
    private final ResponsePackets packets;
    private final AjpUpload upload;
    private final @Nullable ByteBuffer head;
    private final @Nullable ClientException refusal;

    /** Counts down for the CPONG and for the completed write of the CPING: the request follows both. */
    private final AtomicInteger pinging = new AtomicInteger(2);

    /** Whether the sender of the body waits for 100 (Continue). */
    private boolean waitsForContinue;

    // written by the reader
    private volatile ResponseState state = ResponseState.HEAD;
    private volatile boolean begun;

    /** Octets announced and not read yet; -1 if none were announced. */
    private long left;

    AjpClientStream(
            AjpClient client,
            LastUse lastUse,
            SerialClientSession session,
            ClientRequest request,
            ResponseListener listener) {
        super(session, listener);
        this.client = client;
        this.lastUse = lastUse;
        this.request = request;
        packets = new ResponsePackets(session.input(), client.packetSize());
        upload = new AjpUpload(session.connection(), request.contentLength(), client.packetSize(), this::sent);
        ByteBuffer encoded =
                request.upgrade() == null ? RequestEncoder.encode(request, session.info(), client.options()) : null;
        refusal = RequestEncoder.areFieldsPossible(request)
                ? refusal(encoded, client.packetSize())
                : refused("the name of a header field is longer than AJP permits");
        head = refusal == null ? encoded : null;
        waitsForContinue = request.hasBody() && request.headers().contains("Expect");
    }

    private static @Nullable ClientException refusal(@Nullable ByteBuffer encoded, int packetSize) {
        if (encoded != null && encoded.remaining() <= packetSize) {
            return null;
        }
        String why = encoded == null
                ? "AJP does not support upgrades, and so no WebSocket; such requests require a backend with HTTP"
                : "the request's head requires a packet of " + encoded.remaining() + " octets, but packetSize is "
                        + packetSize + "; raise it here and at the backend's AJP connector";
        return refused(why);
    }

    private static ClientException refused(String why) {
        return new ClientException(Reason.UNSUPPORTED, Processed.NO, why, null);
    }

    @Override
    protected @Nullable ClientException refusal() {
        return refusal;
    }

    @Override
    protected void begin() {
        if (lastUse.isPingDue()) {
            state = ResponseState.PONG;
            connection().idleTimeout(client.pingTimeout());
            connection().write(Payload.of(ByteBuffer.wrap(ClientPackets.cping())), failure -> {
                if (failure == null) {
                    pinged();
                }
            });
        } else {
            forward();
        }
    }

    private void pinged() {
        if (pinging.decrementAndGet() == 0) {
            forward();
        }
    }

    private void forward() {
        ByteBuffer packet = head;
        if (packet == null) {
            throw new IllegalStateException("the request was refused");
        }
        connection().idleTimeout(client.responseTimeout());
        connection().write(Payload.of(packet), failure -> {
            if (failure == null) {
                upload.headSent();
                listener().onHeadSent(this);
                if (request.contentLength() > 0) {
                    requestBody(); // the server gets the first packet without a request
                }
            }
        });
    }

    private void requestBody() {
        boolean first = waitsForContinue;
        waitsForContinue = false;
        if (first && !isAnswered()) {
            listener().onInform(Status.CONTINUE, new Headers());
        }
    }

    @Override
    public void send(ByteBuffer piece, boolean last, Completion completion) {
        upload.send(piece, last, completion);
    }

    /** AJP has no trailers. */
    @Override
    public void trailers(Headers fields) {}

    /** Called when the body was sent completely, or a packet that was in progress when the response ended. */
    private void sent(UploadState now) {
        if (now == UploadState.REUSABLE) {
            whole();
        } else if (!isAnswered()) {
            connection().idleTimeout(client.responseTimeout()); // starts now
        }
    }

    @Override
    protected void readHead() throws IOException {
        try {
            while (!isAnswered()) {
                Packet packet = packets.next();
                begun |= state == ResponseState.HEAD && (packet != null || packets.isBegun());
                if (packet != null) {
                    accept(packet);
                } else if (packets.isEnded()) {
                    connection().close(null);
                    return;
                } else {
                    connection().awaitReadable();
                    return;
                }
            }
        } catch (BadPacketException bad) {
            throw malformed(String.valueOf(bad.getMessage()));
        }
    }

    @Override
    protected boolean isAnswered() {
        return state == ResponseState.BODY || state == ResponseState.WHOLE;
    }

    /** Returns the data of the body, if it has any. */
    private @Nullable Chunk accept(Packet packet) throws IOException {
        ResponseState next = ResponseState.next(state, packet.type());
        if (next == null) {
            release(packet);
            throw new BadPacketException(Defect.ORDER);
        }
        switch (packet.type()) {
            case Codes.CPONG -> {
                require(packet.fields().isAtEnd(), Defect.LEFT_OVER);
                state = next;
                pinged();
            }
            case Codes.SEND_HEADERS -> answer(ResponseFields.read(packet.fields(), maxFields()));
            case Codes.GET_BODY_CHUNK -> bodyRequested(packet.fields());
            case Codes.END_RESPONSE -> end(packet.fields());
            default -> count(packet);
        }
        return packet.data();
    }

    private int maxFields() {
        return client.options().get(ProtocolOptions.MAX_HEADER_COUNT);
    }

    private static void release(Packet packet) {
        Chunk data = packet.data();
        if (data != null) {
            data.release();
        }
    }

    private static void require(boolean condition, Defect otherwise) throws BadPacketException {
        if (!condition) {
            throw new BadPacketException(otherwise);
        }
    }

    private void answer(ResponseHead response) throws IOException {
        boolean bodiless =
                Status.isBodiless(response.status()) || request.method().equals(Method.HEAD);
        left = bodiless ? 0 : response.contentLength();
        state = ResponseState.BODY;
        takeFollowing();
        tell(response);
    }

    private void bodyRequested(PacketFields fields) throws BadPacketException {
        int wanted = fields.number();
        require(fields.isAtEnd(), Defect.LEFT_OVER);
        require(wanted > 0 && upload.ask(wanted), Defect.ASKED_TWICE);
        requestBody();
    }

    private void count(Packet packet) throws BadPacketException {
        Chunk data = packet.data();
        int size = data == null ? 0 : data.bytes().remaining();
        if (left >= 0 && size > left) {
            release(packet);
            throw new BadPacketException(Defect.RESPONSE_TOO_LONG);
        }
        left -= left < 0 ? 0 : size;
    }

    /** Ends the response. The connection can be reused, if the server is not waiting for more of the request. */
    private void end(PacketFields fields) throws BadPacketException {
        boolean reuse = fields.octet() == 1;
        require(fields.isAtEnd(), Defect.LEFT_OVER);
        require(left <= 0, Defect.RESPONSE_TOO_SHORT);
        state = ResponseState.WHOLE;
        markRead();
        UploadState now = upload.answered(reuse);
        if (now == UploadState.REUSABLE) {
            whole();
        } else if (now == UploadState.USELESS) {
            connection().close(null);
        }
    }

    private void whole() {
        lastUse.ended();
        session().whole(upload.isReused());
    }

    /** Processes packets that are already read, up to the next data, so that the last data are known to be the last. */
    private void takeFollowing() throws IOException {
        for (Packet next = following(); next != null; next = following()) {
            accept(next);
        }
    }

    private @Nullable Packet following() throws IOException {
        return isRead() ? null : packets.following();
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (!isAnswered()) {
            throw new IllegalStateException("the response has no head yet");
        }
        try {
            return isRead() ? Chunk.END : next();
        } catch (BadPacketException bad) {
            ClientException why = malformed(String.valueOf(bad.getMessage()));
            connection().reset(why);
            throw why;
        } catch (IOException broken) {
            ClientException known = closed();
            throw known == null ? broken : known;
        }
    }

    private @Nullable Chunk next() throws IOException {
        for (Packet packet = packets.next(); packet != null; packet = packets.next()) {
            Chunk data = accept(packet);
            if (data != null) {
                return withFollowing(data);
            }
            if (isRead()) {
                return Chunk.END;
            }
        }
        if (packets.isEnded()) {
            IOException cut = new IOException("the server closed its connection within the response");
            connection().close(cut);
            throw cut;
        }
        return null;
    }

    private Chunk withFollowing(Chunk data) throws IOException {
        try {
            takeFollowing();
            return data;
        } catch (IOException | RuntimeException | Error broken) {
            data.release();
            throw broken;
        }
    }

    /** AJP has no trailers. */
    @Override
    public @Nullable Headers trailers() {
        return null;
    }

    /** The server's timeout does not apply while the server waits for the body. */
    @Override
    protected void onIdle() {
        if (state == ResponseState.PONG) {
            timedOut(client.pingTimeout());
        } else if (!isAnswered() && upload.isAwaited()) {
            connection().awaitReadable();
        } else {
            timedOut(client.responseTimeout());
        }
    }

    @Override
    protected Processed processed() {
        if (state == ResponseState.PONG) {
            return Processed.NO;
        }
        return begun ? Processed.YES : Processed.MAYBE;
    }

    @Override
    protected boolean cut() {
        return upload.cut();
    }

    /**
     * The state of a response, which determines the packets that the server may send next. Confined to the reader.
     *
     * <pre>
     * from   packet           to
     * PONG   CPONG            HEAD    the connection works: the request is sent
     * HEAD   GET_BODY_CHUNK   HEAD
     * HEAD   SEND_HEADERS     BODY
     * BODY   SEND_BODY_CHUNK  BODY
     * BODY   GET_BODY_CHUNK   BODY
     * BODY   END_RESPONSE     WHOLE
     * </pre>
     *
     * All other packets are rejected (null): their meaning, or the request that they belong to, is unknown.
     */
    enum ResponseState {
        PONG,
        HEAD,
        BODY,
        WHOLE;

        /**
         * The state after a packet; null if it is rejected.
         *
         * @param type one of {@link Codes}
         */
        static @Nullable ResponseState next(ResponseState from, int type) {
            return switch (from) {
                case PONG -> type == Codes.CPONG ? HEAD : null;
                case HEAD -> type == Codes.GET_BODY_CHUNK ? HEAD : type == Codes.SEND_HEADERS ? BODY : null;
                case BODY ->
                    type == Codes.SEND_BODY_CHUNK || type == Codes.GET_BODY_CHUNK
                            ? BODY
                            : type == Codes.END_RESPONSE ? WHOLE : null;
                case WHOLE -> null;
            };
        }
    }

    /** Parses a SEND_HEADERS packet. */
    private static final class ResponseFields {

        private static final int MIN_STATUS = 200;
        private static final int MAX_STATUS = 999;
        private static final int MAX_DIGITS = 18;

        private ResponseFields() {}

        /**
         * The head of a response. Content-Length is removed from its fields, and set as its length.
         *
         * @param maxFields the most fields that are accepted
         */
        static ResponseHead read(PacketFields in, int maxFields) throws BadPacketException {
            int status = in.number();
            if (status < MIN_STATUS || status > MAX_STATUS) {
                throw new BadPacketException(Defect.STATUS);
            }
            String reason = in.textOrEmpty();
            ResponseHead head = new ResponseHead().status(status);
            if (!reason.isEmpty() && FieldSyntax.isValue(reason)) {
                head.reason(reason);
            }
            fields(in, maxFields, head.headers());
            if (!in.isAtEnd()) {
                throw new BadPacketException(Defect.LEFT_OVER);
            }
            long length = length(head.headers());
            head.contentLength(
                    status == Status.NO_CONTENT && length > 0
                            ? -1
                            : length); // no body whatever the field says (RFC 9110, 8.6)
            head.headers().remove("Content-Length").remove("Transfer-Encoding"); // the packets are the framing
            return head;
        }

        private static void fields(PacketFields in, int maxFields, Headers to) throws BadPacketException {
            int count = in.number();
            if (count > maxFields) {
                throw new BadPacketException(Defect.TOO_MANY_FIELDS);
            }
            for (int i = 0; i < count; i++) {
                String name = HeaderFields.name(in, Codes::responseField);
                String value = in.textOrEmpty();
                if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
                    throw new BadPacketException(Defect.FIELD_SYNTAX);
                }
                to.add(name, value);
            }
        }

        /** -1 if there is none. */
        private static long length(Headers fields) throws BadPacketException {
            List<String> lengths = fields.all("Content-Length");
            if (lengths.isEmpty()) {
                return -1;
            }
            String digits = lengths.get(0);
            boolean valid = lengths.size() == 1
                    && !digits.isEmpty()
                    && digits.length() <= MAX_DIGITS
                    && digits.chars().allMatch(c -> c >= '0' && c <= '9');
            if (!valid) {
                throw new BadPacketException(Defect.RESPONSE_LENGTH);
            }
            return Long.parseLong(digits);
        }
    }
}
