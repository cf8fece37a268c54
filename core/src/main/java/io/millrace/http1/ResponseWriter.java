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
 * Encodes one response (RFC 9112, 6 and 7), and selects its framing. Confined to the exchange's owner.
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
    /** Status line, Date, Content-Length and Connection. */
    private static final int OWN_FIELDS = 128;

    private enum State {
        OPEN,
        STREAMING,
        FINISHED
    }

    /** The framing of the body. */
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
     * @param persistent whether the request allows the connection to be kept
     * @param keepAlive whether the request has {@code Connection: keep-alive}, in any HTTP version
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

    /** Whether the connection is kept after the response. Final once the head is written. */
    boolean isPersistent() {
        return persistent;
    }

    /** Whether the body ends with the connection. Thread-safe. */
    boolean isEndedByClose() {
        return endedByClose;
    }

    /** Makes this response the last one on the connection. */
    void doNotPersist() {
        persistent = false;
    }

    /** Encodes a piece of the response: the payloads to send, in order; a file region has bytes before and after it. */
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

    /** The head of an interim response, including 101, which has neither a body nor a length. */
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
            persistent = false; // the close shows the client that the body is incomplete
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

    /** The end of the body: with the trailers after {@code before}, or {@code withoutTrailers} if there are none. */
    private ByteBuffer end(byte[] before, byte[] withoutTrailers) {
        return trailers == null ? ByteBuffer.wrap(withoutTrailers) : Trailers.encode(before, trailers);
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

    /** Clients and proxies reject large heads, for no obvious reason; an error response takes their place. */
    private ByteBuffer refuse(ResponseHead head, int size) {
        ending = Ending.NO_BODY;
        persistent = false;
        head.status(Status.INTERNAL_SERVER_ERROR); // for the access log
        return rules.insteadOfHead(size);
    }

    /** Writes the application's fields, except those that the connector determines. True if there is a Date among them. */
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
            ending = Ending.NO_BODY; // but with a Content-Length of 0 (RFC 9110, 15.3.6)
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
