package io.millrace.http1;

import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.http.Tokens;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one response (RFC 9112, 6 and 7): decides how its end will be known, and keeps to it. For the exchange's owner.
 *
 * <pre>
 * OPEN ──head──▶ STREAMING ──last──▶ FINISHED
 * </pre>
 */
final class ResponseWriter {

    private static final byte[] KEEP_ALIVE = Octets.ascii("Connection: keep-alive\r\n");
    private static final byte[] CLOSE = Octets.ascii("Connection: close\r\n");
    private static final byte[] UPGRADE = Octets.ascii("Connection: Upgrade\r\n");
    private static final byte[] CHUNKED = Octets.ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CHUNK_END = Octets.ascii("\r\n");
    private static final byte[] LAST_CHUNK = Octets.ascii("0\r\n\r\n");
    private static final byte[] CHUNK_END_AND_LAST = Octets.ascii("\r\n0\r\n\r\n");
    private static final byte[] NO_BYTES = new byte[0];
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
    private static final int OWN_FIELDS = 160;

    private enum State {
        OPEN,
        STREAMING,
        FINISHED
    }

    /** How the client knows where the body ends. */
    private enum Ending {
        NO_BODY,
        LENGTH,
        CHUNKED,
        CLOSE
    }

    private final Http1Rules rules;
    private final RequestHead request;

    private final boolean keepAlive;

    private State state = State.OPEN;
    private Ending ending = Ending.NO_BODY;
    private volatile boolean endedByClose;
    private boolean persistent;
    private long left;
    private @Nullable Headers trailers;

    /**
     * The writer of one response.
     *
     * @param persistent may the connection be kept, as far as the request goes?
     * @param keepAlive did the request ask for that, whatever its version?
     */
    ResponseWriter(Http1Rules rules, RequestHead request, boolean persistent, boolean keepAlive) {
        this.keepAlive = keepAlive;
        this.rules = rules;
        this.request = request;
        this.persistent = persistent && !request.method().equals(Method.CONNECT);
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isFinished() {
        return state == State.FINISHED;
    }

    /** May another request follow? Final once the head is written. */
    boolean isPersistent() {
        return persistent;
    }

    /** Does nothing but the end of the connection say where the body ends? Any thread. */
    boolean isEndedByClose() {
        return endedByClose;
    }

    /** The connection will be closed after this response. */
    void doNotPersist() {
        persistent = false;
    }

    /** Turns what the exchange sends into what the connection sends, in order: bytes, or three around a piece of a file. */
    Payload[] write(@Nullable ResponseHead head, Payload body, boolean last) {
        if (state == State.FINISHED || (head == null) == (state == State.OPEN)) {
            throw new IllegalStateException(
                    head == null ? "no head was sent before; " + state : "a second head was sent; " + state);
        }
        ByteBuffer before = head == null ? NOTHING : encode(head, body.remaining(), last);
        state = last ? State.FINISHED : State.STREAMING;
        return switch (ending) {
            case NO_BODY -> new Payload[] {Payload.of(before)};
            case LENGTH -> fixed(before, body, last);
            case CHUNKED -> chunk(before, body, last);
            case CLOSE -> framed(before, body, NOTHING);
        };
    }

    /** The head of an interim response, 101 included: never a body, never a length. */
    ByteBuffer interim(int status, @Nullable String reason, Headers headers) {
        HeadEncoder encoder = new HeadEncoder(OWN_FIELDS + HeadEncoder.size(headers));
        encoder.statusLine(status, reason);
        fields(encoder, headers);
        if (status == Status.SWITCHING_PROTOCOLS) {
            encoder.octets(UPGRADE);
            encoder.octets(rules.date().bytes());
        }
        return encoder.end();
    }

    private static Payload[] framed(ByteBuffer before, Payload body, ByteBuffer after) {
        return body instanceof Payload.Bytes bytes
                ? new Payload[] {bytes.framed(before, after)}
                : new Payload[] {Payload.of(before), body, Payload.of(after)};
    }

    private Payload[] fixed(ByteBuffer before, Payload body, boolean last) {
        left -= body.remaining();
        if (left < 0) {
            persistent = false;
            throw new IllegalStateException(
                    "the body has " + -left + " bytes more than the Content-Length that was sent");
        }
        if (last && left > 0) {
            persistent = false; // the client learns by the close that something is missing
        }
        return framed(before, body, NOTHING);
    }

    private Payload[] chunk(ByteBuffer head, Payload body, boolean last) {
        long size = body.remaining();
        if (size == 0) {
            return framed(head, body, last ? end(NO_BYTES, LAST_CHUNK) : NOTHING);
        }
        byte[] sizeLine = Octets.ascii(Long.toHexString(size) + "\r\n");
        ByteBuffer before = head.hasRemaining() ? join(head, sizeLine) : ByteBuffer.wrap(sizeLine);
        ByteBuffer after = last ? end(CHUNK_END, CHUNK_END_AND_LAST) : ByteBuffer.wrap(CHUNK_END);
        return framed(before, body, after);
    }

    /** The end of the body: with its trailers, or as it is without any. */
    private ByteBuffer end(byte[] before, byte[] without) {
        return trailers == null ? ByteBuffer.wrap(without) : Trailers.encode(before, trailers);
    }

    private static ByteBuffer join(ByteBuffer first, byte[] second) {
        return ByteBuffer.allocate(first.remaining() + second.length)
                .put(first)
                .put(second)
                .flip();
    }

    private ByteBuffer encode(ResponseHead head, long firstBytes, boolean last) {
        Headers headers = head.headers();
        HeadEncoder encoder = new HeadEncoder(OWN_FIELDS + HeadEncoder.size(headers));
        encoder.statusLine(head.status(), head.reason());
        boolean upgrade = headers.contains("Upgrade");
        boolean dated = fields(encoder, headers);
        if (!dated) {
            encoder.octets(rules.date().bytes());
        }
        if (rules.serverLine() != null) {
            encoder.octets(rules.serverLine());
        }
        decideEnding(encoder, head, firstBytes, last);
        connection(encoder, upgrade);
        ByteBuffer encoded = encoder.end();
        return encoded.remaining() > rules.options().get(MAX_RESPONSE_HEADER_SIZE)
                ? refuse(head, encoded.remaining())
                : encoded;
    }

    /** The client would refuse such a head, or a proxy before it, and the reason would be hard to find: an error instead. */
    private ByteBuffer refuse(ResponseHead head, int size) {
        ending = Ending.NO_BODY;
        persistent = false;
        head.status(Status.INTERNAL_SERVER_ERROR); // for the access log
        return rules.insteadOfHead(size);
    }

    /** Writes the application's fields but those that are ours to decide. True if there is a Date among them. */
    private boolean fields(HeadEncoder encoder, Headers headers) {
        boolean dated = false;
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            String value = headers.value(i);
            switch (name.length()) {
                case 4 -> dated |= name.equalsIgnoreCase("Date");
                case 6 -> {
                    if (rules.serverLine() != null && name.equalsIgnoreCase("Server")) {
                        continue;
                    }
                }
                case 10 -> {
                    if (name.equalsIgnoreCase("Connection")) {
                        persistent &= !Tokens.contains(value, "close");
                        continue;
                    }
                }
                case 14 -> {
                    if (name.equalsIgnoreCase("Content-Length")) {
                        continue;
                    }
                }
                case 17 -> {
                    if (name.equalsIgnoreCase("Transfer-Encoding")) {
                        continue;
                    }
                }
                default -> {}
            }
            encoder.field(name, value);
        }
        return dated;
    }

    private void decideEnding(HeadEncoder encoder, ResponseHead head, long firstBytes, boolean last) {
        boolean trailed = head.trailers() != null;
        long length = head.contentLength() >= 0 || !last || trailed ? head.contentLength() : firstBytes;
        if (head.status() == Status.RESET_CONTENT) {
            ending = Ending.NO_BODY; // but, unlike those, the client has to be told so (RFC 9110, 15.3.6)
            encoder.contentLength(0);
        } else if (Status.isBodiless(head.status())) {
            ending = Ending.NO_BODY;
            if (head.status() == Status.NOT_MODIFIED && head.contentLength() >= 0) {
                encoder.contentLength(length);
            }
        } else if (request.method().equals(Method.HEAD)) {
            ending = Ending.NO_BODY;
            if (length > 0 || head.contentLength() == 0) { // an empty body may have been left out because of HEAD
                encoder.contentLength(length);
            }
        } else if (length >= 0) {
            ending = Ending.LENGTH;
            left = length;
            encoder.contentLength(length);
        } else if (request.version() == HttpVersion.HTTP_1_0) {
            ending = Ending.CLOSE;
            endedByClose = true;
            persistent = false;
        } else {
            ending = Ending.CHUNKED;
            trailers = trailed ? head.trailers() : null;
            encoder.octets(CHUNKED);
        }
    }

    private void connection(HeadEncoder encoder, boolean upgrade) {
        if (!persistent) {
            encoder.octets(CLOSE);
        } else if (keepAlive && rules.keepAliveLines() != null && !upgrade) {
            encoder.octets(rules.keepAliveLines());
        } else if (request.version() == HttpVersion.HTTP_1_0) {
            encoder.octets(KEEP_ALIVE);
        }
        if (upgrade) {
            encoder.octets(UPGRADE);
        }
    }
}
