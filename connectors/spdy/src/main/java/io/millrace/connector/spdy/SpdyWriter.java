package io.millrace.connector.spdy;

import static io.millrace.protocol.mux.MuxOptions.INITIAL_WINDOW_SIZE;
import static io.millrace.protocol.mux.MuxOptions.MAX_CONCURRENT_STREAMS;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameWriter;
import io.millrace.protocol.mux.PeerSettings;
import java.nio.ByteBuffer;

/** Writes the frames of one connection (SPDY/3, 2.2 and 2.6). */
class SpdyWriter implements FrameWriter {

    /** Longer frames would only delay other streams. */
    private static final int MAX_DATA = 16_384;

    private static final int PAIR = 8;

    private final SpdyRules rules;
    private final HeaderBlockWriter blocks;

    /** The most concurrent pushed streams that the peer accepts; without a setting, any number (2.6.4). */
    private int maxPushed = Integer.MAX_VALUE;

    SpdyWriter(SpdyRules rules) {
        this.rules = rules;
        blocks = new HeaderBlockWriter(rules.server());
    }

    /** Writes the frames with header blocks. */
    final HeaderBlockWriter blocks() {
        return blocks;
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

    @Override
    public void head(int id, ResponseHead head, long contentLength, boolean end, Batch to) {
        blocks.head(id, head, contentLength, end, to);
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
        blocks.trailers(id, fields, to);
    }

    // ---- pushed responses

    @Override
    public int maxPushed() {
        return rules.options().get(SpdyOptions.SERVER_PUSH) ? maxPushed : 0;
    }

    @Override
    public void push(int id, int promisedId, RequestHead promised, Batch to) {
        blocks.push(id, promisedId, promised, to);
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
}
