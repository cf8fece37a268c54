package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldName;
import io.millrace.connector.http2.hpack.HpackEncoder;
import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import io.millrace.http.ResponseHead;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.ConnectionFields;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameWriter;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.protocol.mux.PeerSettings;
import java.nio.ByteBuffer;

/** Writes the frames of one connection (RFC 9113, 4 to 6). */
final class Http2Writer implements FrameWriter {

    private static final FieldName STATUS = FieldName.pseudo(":status");
    private static final FieldName CONTENT_LENGTH = known("content-length");
    private static final FieldName DATE = known("date");
    private static final FieldName SERVER = known("server");

    /** Status, length, date and what they count: beside the fields of an application. */
    private static final int OWN_FIELDS = 4;

    private static final int OWN_OCTETS = 128;

    private static final String[] STATUSES = new String[1000];

    static {
        for (int i = 100; i < STATUSES.length; i++) {
            STATUSES[i] = Integer.toString(i);
        }
    }

    private final Http2Rules rules;
    private final HpackEncoder encoder = new HpackEncoder();
    private int maxFrameSize = Frames.MAX_PAYLOAD;

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
        MuxOptions streams = rules.options().streams();
        boolean usual = streams.initialWindow() == MuxOptions.USUAL_WINDOW;
        int count = usual ? 4 : 5;
        ByteBuffer out = frame(to, count * Settings.SIZE, Frames.SETTINGS, 0, 0);
        setting(out, Settings.MAX_CONCURRENT_STREAMS, streams.maxConcurrentStreams());
        if (!usual) {
            setting(out, Settings.INITIAL_WINDOW_SIZE, streams.initialWindow());
        }
        setting(out, Settings.MAX_HEADER_LIST_SIZE, rules.maxListSize());
        setting(out, Settings.ENABLE_CONNECT_PROTOCOL, 1);
        setting(out, Settings.NO_RFC7540_PRIORITIES, 1);
    }

    private static void setting(ByteBuffer out, int id, int value) {
        out.putShort((short) id).putInt(value);
    }

    @Override
    public void apply(PeerSettings settings) {
        if (settings.headerTableSize() != PeerSettings.UNSAID) {
            encoder.limit(settings.headerTableSize());
        }
        if (settings.maxFrameSize() != PeerSettings.UNSAID) {
            maxFrameSize = settings.maxFrameSize();
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

    /** Longer frames would only keep other streams waiting. */
    @Override
    public int maxDataLength() {
        return Math.min(maxFrameSize, Frames.MAX_PAYLOAD);
    }

    @Override
    public void head(int id, ResponseHead head, long contentLength, boolean end, Batch to) {
        Headers headers = head.headers();
        int most = most(headers);
        boolean fits = Frames.HEAD + most <= Frames.MAX_PAYLOAD;
        ByteBuffer out = fits ? to.room(Frames.HEAD + most) : ByteBuffer.allocate(most);
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
        String server = rules.options().server();
        if (server != null && !headers.contains("server")) {
            encoder.field(SERVER, FieldValue.clean(server), out);
        }
        fields(headers, out);
        finish(id, end, fits, start, out, to);
    }

    @Override
    public void interim(int id, int status, Headers fields, Batch to) {
        block(id, status, fields, false, to);
    }

    @Override
    public void trailers(int id, Headers fields, Batch to) {
        block(id, 0, fields, true, to);
    }

    /** Fields, behind a status if that is not 0. */
    private void block(int id, int status, Headers fields, boolean end, Batch to) {
        int most = most(fields);
        boolean fits = Frames.HEAD + most <= Frames.MAX_PAYLOAD;
        ByteBuffer out = fits ? to.room(Frames.HEAD + most) : ByteBuffer.allocate(most);
        int start = out.position();
        out.position(fits ? start + Frames.HEAD : start);
        encoder.begin(out);
        if (status != 0) {
            encoder.field(STATUS, STATUSES[status], out);
        }
        fields(fields, out);
        finish(id, end, fits, start, out, to);
    }

    private int most(Headers headers) {
        String server = rules.options().server();
        long octets = OWN_OCTETS + (server == null ? 0L : server.length());
        for (int i = 0; i < headers.size(); i++) {
            octets += headers.name(i).length() + headers.value(i).length();
        }
        return HpackEncoder.most(headers.size() + OWN_FIELDS, octets);
    }

    /** A field whose name is no token is left out, as are the connection's. */
    private void fields(Headers headers, ByteBuffer out) {
        for (int i = 0; i < headers.size(); i++) {
            FieldName name = FieldName.of(headers.name(i));
            if (name != null && isSent(name)) {
                encoder.field(name, FieldValue.clean(headers.value(i)), out);
            }
        }
    }

    private static boolean isSent(FieldName name) {
        return !ConnectionFields.contains(name.text()) && name.staticIndex() != CONTENT_LENGTH.staticIndex();
    }

    private void finish(int id, boolean end, boolean fits, int start, ByteBuffer out, Batch to) {
        int flags = end ? Frames.END_STREAM : 0;
        if (fits) {
            int behind = out.position();
            out.position(start);
            frameHead(out, behind - start - Frames.HEAD, Frames.HEADERS, flags | Frames.END_HEADERS, id);
            out.position(behind);
        } else {
            split(id, flags, out.flip(), to);
        }
    }

    /** A block that no frame holds goes on in CONTINUATION frames, with no other frame between them (4.3). */
    private static void split(int id, int flags, ByteBuffer block, Batch to) {
        byte[] part = new byte[Frames.MAX_PAYLOAD];
        int type = Frames.HEADERS;
        do {
            int length = Math.min(block.remaining(), part.length);
            block.get(part, 0, length);
            int last = block.hasRemaining() ? 0 : Frames.END_HEADERS;
            int first = type == Frames.HEADERS ? flags : 0;
            frameHead(to.room(Frames.HEAD), length, type, first | last, id);
            to.put(part, 0, length);
            type = Frames.CONTINUATION;
        } while (block.hasRemaining());
    }

    @Override
    public void dataHead(int id, int length, boolean end, Batch to) {
        frameHead(to.room(Frames.HEAD), length, Frames.DATA, end ? Frames.END_STREAM : 0, id);
    }

    // ---- the rest

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

    /** Writes a frame's head; the caller puts the payload behind it. */
    private static ByteBuffer frame(Batch to, int length, int type, int flags, int id) {
        ByteBuffer out = to.room(Frames.HEAD + length);
        frameHead(out, length, type, flags, id);
        return out;
    }

    private static void frameHead(ByteBuffer out, int length, int type, int flags, int id) {
        out.putInt(length << 8 | type).put((byte) flags).putInt(id);
    }
}
