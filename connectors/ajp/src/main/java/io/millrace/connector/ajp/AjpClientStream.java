package io.millrace.connector.ajp;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ResponseListener;
import io.millrace.client.serial.SerialClientSession;
import io.millrace.client.serial.SerialClientStream;
import io.millrace.connector.ajp.ResponsePackets.Packet;
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

    // ---- the request

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

    // ---- the response

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

    // ---- the end

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
}
