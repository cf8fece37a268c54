package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldName;
import io.millrace.connector.http2.hpack.HpackEncoder;
import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.ConnectionFields;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FieldValue;
import io.millrace.protocol.mux.FrameWriter;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.protocol.mux.PeerSettings;
import java.nio.ByteBuffer;

/** Writes the frames of one connection (RFC 9113, 4 to 6). */
class Http2Writer implements FrameWriter {

    private static final FieldName METHOD = FieldName.pseudo(":method");
    private static final FieldName SCHEME = FieldName.pseudo(":scheme");
    private static final FieldName AUTHORITY = FieldName.pseudo(":authority");
    private static final FieldName PATH = FieldName.pseudo(":path");
    private static final FieldName STATUS = FieldName.pseudo(":status");
    static final FieldName CONTENT_LENGTH = known("content-length");
    private static final FieldName DATE = known("date");
    private static final FieldName SERVER = known("server");

    /** The most fields that are added to those of the application: status, length and date, or those of a request. */
    private static final int OWN_FIELDS = 5;

    private static final int OWN_OCTETS = 128;

    /** The size of the stream id in a PUSH_PROMISE frame, in octets. */
    private static final int PROMISED_ID = 4;

    private static final String[] STATUSES = new String[1000];

    static {
        for (int i = 100; i < STATUSES.length; i++) {
            STATUSES[i] = Integer.toString(i);
        }
    }

    private final Http2Rules rules;
    private final HpackEncoder encoder = new HpackEncoder();
    private int maxFrameSize = Frames.MAX_PAYLOAD;

    /** The most concurrent pushed streams that the peer accepts; without a setting, any number (6.5.2). */
    private int maxPushed = Integer.MAX_VALUE;

    private boolean acceptsPush = true;

    Http2Writer(Http2Rules rules) {
        this.rules = rules;
    }

    private static FieldName known(String text) {
        FieldName name = FieldName.of(text);
        if (name == null) {
            throw new IllegalStateException("no token: " + text);
        }
        return name;
    }

    // ---- settings

    @Override
    public void start(Batch to) {
        int window = rules.options().get(MuxOptions.INITIAL_WINDOW_SIZE);
        boolean isDefault = window == MuxOptions.USUAL_WINDOW;
        int count = isDefault ? 4 : 5;
        ByteBuffer out = frame(to, count * SettingsFrame.SIZE, Frames.SETTINGS, 0, 0);
        setting(out, SettingsFrame.MAX_CONCURRENT_STREAMS, rules.options().get(MuxOptions.MAX_CONCURRENT_STREAMS));
        if (!isDefault) {
            setting(out, SettingsFrame.INITIAL_WINDOW_SIZE, window);
        }
        setting(out, SettingsFrame.MAX_HEADER_LIST_SIZE, rules.maxListSize());
        setting(out, SettingsFrame.ENABLE_CONNECT_PROTOCOL, 1);
        setting(out, SettingsFrame.NO_RFC7540_PRIORITIES, 1);
    }

    /** Writes settings: pairs of identifier and value. */
    final void settings(Batch to, int[] pairs) {
        ByteBuffer out = frame(to, pairs.length / 2 * SettingsFrame.SIZE, Frames.SETTINGS, 0, 0);
        for (int i = 0; i < pairs.length; i += 2) {
            setting(out, pairs[i], pairs[i + 1]);
        }
    }

    private static void setting(ByteBuffer out, int id, int value) {
        out.putShort((short) id).putInt(value);
    }

    @Override
    public void apply(PeerSettings settings) {
        if (settings.headerTableSize() != PeerSettings.UNSAID) {
            encoder.limit(settings.leastHeaderTableSize());
            encoder.limit(settings.headerTableSize());
        }
        if (settings.maxFrameSize() != PeerSettings.UNSAID) {
            maxFrameSize = settings.maxFrameSize();
        }
        if (settings.maxStreams() != PeerSettings.UNSAID) {
            maxPushed = settings.maxStreams();
        }
        if (settings.push() != PeerSettings.UNSAID) {
            acceptsPush = settings.push() != 0;
        }
    }

    @Override
    public void settingsAck(Batch to) {
        frame(to, 0, Frames.SETTINGS, Frames.ACK, 0);
    }

    // ---- responses

    @Override
    public int dataHeadLength() {
        return Frames.HEAD;
    }

    /** Longer frames would only delay other streams. */
    @Override
    public int maxDataLength() {
        return Math.min(maxFrameSize, Frames.MAX_PAYLOAD);
    }

    @Override
    public void head(int id, ResponseHead head, long contentLength, boolean end, Batch to) {
        Headers headers = head.headers();
        int maxLength = maxLength(headers, 0);
        boolean fits = Frames.HEAD + maxLength <= Frames.MAX_PAYLOAD;
        ByteBuffer out = fits ? to.room(Frames.HEAD + maxLength) : ByteBuffer.allocate(maxLength);
        int start = out.position();
        out.position(fits ? start + Frames.HEAD : start);
        encoder.begin(out);
        encoder.field(STATUS, STATUSES[head.status()], out);
        if (contentLength >= 0) {
            encoder.field(CONTENT_LENGTH, Long.toString(contentLength), out);
        }
        if (!headers.contains("date")) {
            encoder.field(DATE, HttpDates.now(), out);
        }
        String server = rules.options().get(HttpOptions.SERVER);
        if (!server.isEmpty() && !headers.contains("server")) {
            encoder.field(SERVER, FieldValue.clean(server), out);
        }
        fields(headers, out);
        finish(Frames.HEADERS, id, end ? Frames.END_STREAM : 0, fits, start, out, to);
    }

    @Override
    public void interim(int id, int status, Headers fields, Batch to) {
        block(id, fields, 0, false, to, (own, out) -> own.field(STATUS, STATUSES[status], out));
    }

    @Override
    public void trailers(int id, Headers fields, Batch to) {
        block(id, fields, 0, true, to, (own, out) -> {});
    }

    /** Writes the pseudo-header fields of a block. */
    interface Pseudo {
        void put(HpackEncoder encoder, ByteBuffer out);
    }

    /**
     * Writes a header block.
     *
     * @param bytes the length of the pseudo-header fields, if it may exceed {@link #OWN_OCTETS}
     */
    final void block(int id, Headers fields, long bytes, boolean end, Batch to, Pseudo pseudo) {
        int maxLength = maxLength(fields, bytes);
        boolean fits = Frames.HEAD + maxLength <= Frames.MAX_PAYLOAD;
        ByteBuffer out = fits ? to.room(Frames.HEAD + maxLength) : ByteBuffer.allocate(maxLength);
        int start = out.position();
        out.position(fits ? start + Frames.HEAD : start);
        encoder.begin(out);
        pseudo.put(encoder, out);
        fields(fields, out);
        finish(Frames.HEADERS, id, end ? Frames.END_STREAM : 0, fits, start, out, to);
    }

    // ---- pushed responses

    @Override
    public int maxPushed() {
        return acceptsPush && rules.options().get(Http2Options.SERVER_PUSH) ? maxPushed : 0;
    }

    /** The fields are those that the client would send itself (8.4.1), without its credentials. */
    @Override
    public void push(int id, int promisedId, RequestHead promised, Batch to) {
        String authority = promised.authority() == null ? "" : promised.authority();
        Headers fields = promised.headers().copy().remove("host").remove("authorization");
        int maxLength = PROMISED_ID
                + maxLength(fields, 0)
                + authority.length()
                + promised.target().length();
        boolean fits = Frames.HEAD + maxLength <= Frames.MAX_PAYLOAD;
        ByteBuffer out = fits ? to.room(Frames.HEAD + maxLength) : ByteBuffer.allocate(maxLength);
        int start = out.position();
        out.position(fits ? start + Frames.HEAD : start);
        out.putInt(promisedId);
        encoder.begin(out);
        encoder.field(METHOD, promised.method(), out);
        encoder.field(SCHEME, promised.scheme(), out);
        encoder.field(AUTHORITY, authority, out);
        encoder.field(PATH, promised.target(), out);
        fields(fields, out);
        finish(Frames.PUSH_PROMISE, id, 0, fits, start, out, to);
    }

    private int maxLength(Headers headers, long more) {
        String server = rules.options().get(HttpOptions.SERVER);
        long bytes = OWN_OCTETS + server.length() + more + headers.characters();
        return HpackEncoder.maxLength(headers.size() + OWN_FIELDS, bytes);
    }

    /** Writes fields, except those whose name is no token, and those that concern the connection. */
    private void fields(Headers headers, ByteBuffer out) {
        for (int i = 0; i < headers.size(); i++) {
            FieldName name = FieldName.of(headers.name(i));
            if (name != null && isSent(name)) {
                encoder.field(name, FieldValue.clean(headers.value(i)), out);
            }
        }
    }

    boolean isSent(FieldName name) {
        return !ConnectionFields.contains(name.text()) && name.staticIndex() != CONTENT_LENGTH.staticIndex();
    }

    private void finish(int type, int id, int flags, boolean fits, int start, ByteBuffer out, Batch to) {
        if (fits) {
            int end = out.position();
            out.position(start);
            frameHead(out, end - start - Frames.HEAD, type, flags | Frames.END_HEADERS, id);
            out.position(end);
        } else {
            split(type, id, flags, out.flip(), to);
        }
    }

    /** Writes a block that exceeds one frame as a frame and CONTINUATION frames, with no other frame between them (4.3). */
    private static void split(int firstType, int id, int flags, ByteBuffer block, Batch to) {
        byte[] part = new byte[Frames.MAX_PAYLOAD];
        int type = firstType;
        do {
            int length = Math.min(block.remaining(), part.length);
            block.get(part, 0, length);
            int last = block.hasRemaining() ? 0 : Frames.END_HEADERS;
            int first = type == firstType ? flags : 0;
            frameHead(to.room(Frames.HEAD), length, type, first | last, id);
            to.put(part, 0, length);
            type = Frames.CONTINUATION;
        } while (block.hasRemaining());
    }

    @Override
    public void dataHead(int id, int length, boolean end, Batch to) {
        frameHead(to.room(Frames.HEAD), length, Frames.DATA, end ? Frames.END_STREAM : 0, id);
    }

    // ---- control frames

    @Override
    public void reset(int id, Fault fault, Batch to) {
        frame(to, 4, Frames.RST_STREAM, 0, id).putInt(ErrorCode.of(fault));
    }

    @Override
    public void credit(int id, int increment, Batch to) {
        frame(to, 4, Frames.WINDOW_UPDATE, 0, id).putInt(increment);
    }

    @Override
    public void ping(long payload, boolean ack, Batch to) {
        frame(to, 8, Frames.PING, ack ? Frames.ACK : 0, 0).putLong(payload);
    }

    @Override
    public void goAway(int lastId, Fault fault, Batch to) {
        frame(to, 8, Frames.GOAWAY, 0, 0).putInt(lastId).putInt(ErrorCode.of(fault));
    }

    /** Writes a frame header; the caller adds the payload. */
    private static ByteBuffer frame(Batch to, int length, int type, int flags, int id) {
        ByteBuffer out = to.room(Frames.HEAD + length);
        frameHead(out, length, type, flags, id);
        return out;
    }

    private static void frameHead(ByteBuffer out, int length, int type, int flags, int id) {
        out.putInt(length << 8 | type).put((byte) flags).putInt(id);
    }
}
