package io.millrace.connector.spdy;

import static io.millrace.protocol.mux.MuxOptions.INITIAL_WINDOW_SIZE;
import static io.millrace.protocol.mux.MuxOptions.MAX_CONCURRENT_STREAMS;

import io.millrace.client.ClientRequest;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.BufferPool;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.ConnectionFields;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FieldValue;
import io.millrace.protocol.mux.FrameWriter;
import io.millrace.protocol.mux.PeerSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the frames of one connection (SPDY/3, 2.2 and 2.6). The header blocks of a connection are one zlib stream, which
 * consists of stored blocks only: a compressor would take 100 KiB for each connection, and its output lengths would help an
 * attacker to guess cookies (CRIME).
 */
class SpdyWriter implements FrameWriter {

    /** Longer frames would only delay other streams. */
    private static final int MAX_DATA = 16_384;

    private static final int PAIR = 8;

    /** The header of a zlib stream: deflate with a window of 32 KiB, no preset dictionary (RFC 1950, 2.2). */
    private static final short ZLIB_HEAD = 0x7801;

    /** The header of a stored block: type, length and complement of the length (RFC 1951, 3.2.4). */
    private static final int STORED_HEAD = 5;

    private static final int MAX_STORED = 65_535;

    /** The largest contiguous room in a batch. */
    private static final int MAX_ROOM = BufferPool.BUFFER_SIZE;

    /** Priority three of eight, in the highest bits (2.6.1). */
    private static final byte DEFAULT_PRIORITY = (byte) (3 << 5);

    /** The size of a number in octets; each field has two. */
    private static final int NUMBER = 4;

    private static final int FIELD_OVERHEAD = 2 * NUMBER;

    /** Status, version, length and date, with their names and overhead. */
    private static final int OWN_OCTETS = 256;

    private static final byte[] STATUS = ":status".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VERSION = ":version".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HTTP_1_1 = "HTTP/1.1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[][] STATUSES = new byte[1000][];

    static {
        for (int i = 100; i < STATUSES.length; i++) {
            STATUSES[i] = (i + " " + Status.reason(i)).strip().getBytes(StandardCharsets.US_ASCII);
        }
    }

    private final SpdyRules rules;
    private final @Nullable String server;

    /** Whether a header block was written. */
    private boolean begun;

    /** The most concurrent pushed streams that the peer accepts; without a setting, any number (2.6.4). */
    private int maxPushed = Integer.MAX_VALUE;

    SpdyWriter(SpdyRules rules) {
        this.rules = rules;
        server = rules.server();
    }

    // ---- windows and settings

    @Override
    public int firstWindow() {
        return SpdyFrame.FIRST_WINDOW;
    }

    @Override
    public boolean hasConnectionWindow() {
        return rules.version().hasConnectionWindow();
    }

    @Override
    public void start(Batch to) {
        int window = rules.options().get(INITIAL_WINDOW_SIZE);
        int count = window == SpdyFrame.FIRST_WINDOW ? 1 : 2;
        ByteBuffer out = control(to, SpdyFrame.SETTINGS, SpdyFrame.COUNT + count * SpdyFrame.SETTING);
        out.putInt(count);
        out.putInt(SpdyFrame.MAX_CONCURRENT_STREAMS).putInt(rules.options().get(MAX_CONCURRENT_STREAMS));
        if (count > 1) {
            out.putInt(SpdyFrame.INITIAL_WINDOW_SIZE).putInt(window);
        }
    }

    @Override
    public void apply(PeerSettings settings) {
        if (settings.maxStreams() != PeerSettings.UNSAID) {
            maxPushed = settings.maxStreams();
        }
    }

    /** Does nothing: SPDY does not acknowledge settings. */
    @Override
    public void settingsAck(Batch to) {}

    @Override
    public void credit(int id, int increment, Batch to) {
        if (id != 0 || hasConnectionWindow()) {
            pair(to, SpdyFrame.WINDOW_UPDATE, id, increment);
        }
    }

    // ---- responses

    @Override
    public int dataHeadLength() {
        return SpdyFrame.HEAD;
    }

    @Override
    public int maxDataLength() {
        return MAX_DATA;
    }

    /** The head of a pushed stream, which was opened by a SYN_STREAM, is sent in HEADERS (3.3.1). */
    @Override
    public void head(int id, ResponseHead head, long contentLength, boolean end, Batch to) {
        int type = (id & 1) == 0 ? SpdyFrame.HEADERS : SpdyFrame.SYN_REPLY;
        Headers headers = head.headers();
        int maxLength = maxLength(headers);
        ByteBuffer out = begin(maxLength, to);
        int start = out.position();
        out.position(start + before(type) + NUMBER);
        put(out, STATUS, STATUSES[head.status()]);
        put(out, VERSION, HTTP_1_1);
        int count = 2;
        if (contentLength >= 0) {
            put(out, "content-length", Long.toString(contentLength));
            count++;
        }
        if (!headers.contains("date")) {
            put(out, "date", HttpDates.now());
            count++;
        }
        if (server != null && !headers.contains("server")) {
            put(out, "server", FieldValue.clean(server));
            count++;
        }
        count += fields(headers, out);
        end(Kind.of(type, end, id), count, start, out, to);
    }

    /** Does nothing: SPDY has no interim responses. */
    @Override
    public void interim(int id, int status, Headers fields, Batch to) {}

    @Override
    public void dataHead(int id, int length, boolean end, Batch to) {
        to.room(SpdyFrame.HEAD).putInt(id).putInt((end ? SpdyFrame.FIN << 24 : 0) | length);
    }

    @Override
    public void trailers(int id, Headers fields, Batch to) {
        ByteBuffer out = begin(maxLength(fields), to);
        int start = out.position();
        out.position(start + before(SpdyFrame.HEADERS) + NUMBER);
        end(Kind.of(SpdyFrame.HEADERS, true, id), fields(fields, out), start, out, to);
    }

    // ---- requests of clients

    /** Writes the head of a client's request: five fields replace the request line and Host. */
    final void request(int id, ClientRequest request, String scheme, boolean end, Batch to) {
        Headers headers = request.headers();
        String host = headers.get("host");
        int own = request.method().length() + request.target().length();
        ByteBuffer out = begin(maxLength(headers) + own, to);
        int start = out.position();
        out.position(start + before(SpdyFrame.SYN_STREAM) + NUMBER);
        put(out, ":method", request.method());
        put(out, ":path", request.target());
        put(out, ":version", "HTTP/1.1");
        put(out, ":host", host == null ? "" : host);
        put(out, ":scheme", scheme);
        int count = 5;
        if (request.contentLength() > 0 || end && Method.announcesNothing(request.method())) {
            put(out, "content-length", Long.toString(request.contentLength()));
            count++;
        }
        Headers others = headers.copy().remove("host");
        count += fields(others, out);
        end(Kind.of(SpdyFrame.SYN_STREAM, end, id), count, start, out, to);
    }

    // ---- pushed responses

    @Override
    public int maxPushed() {
        return rules.options().get(SpdyOptions.SERVER_PUSH) ? maxPushed : 0;
    }

    /**
     * The stream is unidirectional, and associated with that of the original response. Its fields are
     * those of the URL (3.3.1), and of the request line.
     */
    @Override
    public void push(int id, int promisedId, RequestHead promised, Batch to) {
        String host = promised.authority() == null ? "" : promised.authority();
        int own = promised.target().length() + host.length();
        ByteBuffer out = begin(maxLength(new Headers()) + own, to);
        int start = out.position();
        out.position(start + before(SpdyFrame.SYN_STREAM) + NUMBER);
        put(out, ":method", promised.method());
        put(out, ":path", promised.target());
        put(out, ":version", "HTTP/1.1");
        put(out, ":host", host);
        put(out, ":scheme", promised.scheme());
        end(new Kind(SpdyFrame.SYN_STREAM, SpdyFrame.UNIDIRECTIONAL, promisedId, id), 5, start, out, to);
    }

    // ---- control frames

    @Override
    public void reset(int id, Fault fault, Batch to) {
        pair(to, SpdyFrame.RST_STREAM, id, SpdyStatus.ofReset(fault));
    }

    /** A reply is identical to the ping. */
    @Override
    public void ping(long payload, boolean ack, Batch to) {
        control(to, SpdyFrame.PING, 4).putInt((int) payload);
    }

    @Override
    public void goAway(int lastId, Fault fault, Batch to) {
        pair(to, SpdyFrame.GOAWAY, lastId, SpdyStatus.ofGoAway(fault));
    }

    private static void pair(Batch to, int type, int first, int second) {
        control(to, type, PAIR).putInt(first).putInt(second);
    }

    /** Writes a frame header; the caller adds the payload. */
    static ByteBuffer control(Batch to, int type, int length) {
        return controlHead(to.room(SpdyFrame.HEAD + length), type, 0, length);
    }

    /** The same into a buffer with room. */
    static ByteBuffer controlHead(ByteBuffer out, int type, int flags, int length) {
        return out.putInt(1 << 31 | SpdyFrame.VERSION << 16 | type).putInt(flags << 24 | length);
    }

    // ---- header blocks

    private int maxLength(Headers headers) {
        long bytes = before(SpdyFrame.SYN_STREAM) + OWN_OCTETS + (server == null ? 0L : server.length());
        return Math.toIntExact(bytes + headers.characters() + (long) FIELD_OVERHEAD * headers.size());
    }

    private static ByteBuffer begin(int maxLength, Batch to) {
        return maxLength <= MAX_ROOM ? to.room(maxLength) : ByteBuffer.allocate(maxLength);
    }

    // ---- fields

    /**
     * Writes fields, joining those of one name, and returns their number. Omits those whose name is not a token, and those that
     * concern the connection.
     */
    private static int fields(Headers headers, ByteBuffer out) {
        int count = 0;
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            if (isSent(name) && !isAmongFirst(headers, i, name)) {
                putName(out, name);
                putValues(out, headers, i, name);
                count++;
            }
        }
        return count;
    }

    private static boolean isSent(String name) {
        return FieldSyntax.isToken(name)
                && !ConnectionFields.contains(name)
                && !name.equalsIgnoreCase("content-length");
    }

    private static boolean isAmongFirst(Headers headers, int count, String name) {
        for (int i = 0; i < count; i++) {
            if (headers.name(i).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** Writes the values of all fields of this name, from {@code first} on, separated by NUL; empty ones are omitted. */
    private static void putValues(ByteBuffer out, Headers headers, int first, String name) {
        int lengthAt = out.position();
        out.putInt(0);
        int from = out.position();
        for (int i = first; i < headers.size(); i++) {
            if (headers.name(i).equalsIgnoreCase(name)) {
                String value = FieldValue.clean(headers.value(i));
                if (!value.isEmpty() && out.position() > from) {
                    out.put((byte) 0);
                }
                put(out, value);
            }
        }
        out.putInt(lengthAt, out.position() - from);
    }

    private static void putName(ByteBuffer out, String name) {
        out.putInt(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            out.put((byte) (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
        }
    }

    private static void put(ByteBuffer out, byte[] name, byte[] value) {
        out.putInt(name.length).put(name).putInt(value.length).put(value);
    }

    private static void put(ByteBuffer out, String name, String value) {
        putName(out, name);
        out.putInt(value.length());
        put(out, value);
    }

    private static void put(ByteBuffer out, String latin1) {
        for (int i = 0; i < latin1.length(); i++) {
            out.put((byte) latin1.charAt(i));
        }
    }

    // ---- the frame around them

    /** Completes a frame whose block was written after the room reserved for its headers. */
    private void end(Kind kind, int count, int start, ByteBuffer out, Batch to) {
        int content = start + before(kind.type());
        int length = out.position() - content;
        out.putInt(content, count);
        if (out.capacity() <= MAX_ROOM) {
            int end = out.position();
            frameHead(kind, STORED_HEAD + length, out.position(start));
            storedHead(length, out);
            out.position(end);
        } else {
            split(kind, out.array(), out.arrayOffset() + content, length, to);
        }
        begun = true;
    }

    /** Writes a block that exceeds a chunk, as one or more stored blocks. */
    private void split(Kind kind, byte[] block, int from, int length, Batch to) {
        int parts = (length + MAX_STORED - 1) / MAX_STORED;
        frameHead(kind, parts * STORED_HEAD + length, to.room(before(kind.type())));
        int end = from + length;
        for (int at = from; at < end; at += MAX_STORED) {
            int part = Math.min(MAX_STORED, end - at);
            storedHead(part, to.room(STORED_HEAD));
            to.put(block, at, part);
        }
    }

    private void frameHead(Kind kind, int stored, ByteBuffer out) {
        int zlib = zlibHead();
        int type = kind.type();
        controlHead(out, type, kind.flags(), SpdyFrame.blockHead(type) + zlib + stored)
                .putInt(kind.id());
        if (type == SpdyFrame.SYN_STREAM) {
            out.putInt(kind.associated()).put(DEFAULT_PRIORITY).put((byte) 0); // without a CREDENTIAL
        }
        if (zlib > 0) {
            out.putShort(ZLIB_HEAD);
        }
    }

    /** Writes the header of a stored block, whose lengths are little-endian. */
    private static void storedHead(int length, ByteBuffer out) {
        out.put((byte) 0);
        out.putShort(Short.reverseBytes((short) length)).putShort(Short.reverseBytes((short) ~length));
    }

    /** The octets of a frame before the content of its block. */
    private int before(int type) {
        return SpdyFrame.HEAD + SpdyFrame.blockHead(type) + zlibHead() + STORED_HEAD;
    }

    /** The octets of the zlib header, which only the first block has. */
    private int zlibHead() {
        return begun ? 0 : Short.BYTES;
    }

    /**
     * The header of a frame.
     *
     * @param associated the stream with which the SYN_STREAM of a push is associated; 0 for none
     */
    private record Kind(int type, int flags, int id, int associated) {

        static Kind of(int type, boolean end, int id) {
            return new Kind(type, end ? SpdyFrame.FIN : 0, id, 0);
        }
    }
}
