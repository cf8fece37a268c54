package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.connector.http2.hpack.HpackException;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameReader;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.StreamTrailers;
import io.millrace.protocol.mux.WholeBytes;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the frames of one connection, strictly (RFC 9113, 4 to 6); {@link State} has its states. */
class Http2Reader implements FrameReader {

    /**
     * What the reader expects next.
     *
     * <pre>
     * PREFACE ──24 octets──▸ HEAD ──▸ PAD_LENGTH ──▸ DATA ──▸ PADDING ──▸ HEAD     DATA frames, incrementally
     *                         ├─────────────────────▸ DATA
     *                         ├──▸ SKIPPED ──▸ HEAD                               unknown types
     *                         └──▸ PAYLOAD ──▸ HEAD                               all others, once they are complete
     * </pre>
     */
    enum State {
        /** The client's connection preface (RFC 9113, 3.4). */
        PREFACE,
        /** The frame header, nine octets. */
        HEAD,
        /** The pad length of a DATA frame, one octet. */
        PAD_LENGTH,
        /** The body in a DATA frame. */
        DATA,
        /** The padding of a DATA frame. */
        PADDING,
        /** The payload of a frame that is ignored. */
        SKIPPED,
        /** The payload of a frame that is parsed when it is complete. */
        PAYLOAD
    }

    /** The client's connection preface (3.4). */
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** The limit of a header block, as a multiple of maxHeaderSize; larger blocks compress fields that exceed all limits. */
    private static final int MAX_BLOCK_FACTOR = 4;

    private final Http2Rules rules;
    private final ConnectionInfo info;
    private final HpackDecoder decoder;
    private State state;
    private boolean settingsReceived;

    /** A frame header or a payload. */
    private final WholeBytes whole = new WholeBytes();

    private int prefaceLength;

    // the frame being read
    private int type;
    private int flags;
    private int id;
    private int left;
    private int padding;

    /** Octets of padding that are not yet counted in the flow-control window. */
    private int uncounted;

    /** The block whose CONTINUATION must be the next frame. */
    private @Nullable HeaderBlock block;

    /** The reader of a server. */
    Http2Reader(Http2Rules rules, ConnectionInfo info) {
        this(rules, info, State.PREFACE);
    }

    Http2Reader(Http2Rules rules, ConnectionInfo info, State first) {
        this.rules = rules;
        state = first;
        this.info = info;
        decoder = new HpackDecoder(rules.texts());
    }

    @Override
    public void read(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        boolean more = true;
        while (more && !(input.hasRemaining() && sink.isTurnOver())) {
            more = switch (state) {
                case PREFACE -> preface(input);
                case HEAD -> head(input, sink);
                case PAD_LENGTH -> padLength(input);
                case DATA -> data(input, sink);
                case PADDING, SKIPPED -> skip(input);
                case PAYLOAD -> payload(input, sink);
            };
        }
    }

    @Override
    public boolean isWithinFrame() {
        return !settingsReceived
                || block != null
                || whole.isBegun()
                || state == State.PAYLOAD
                || state == State.SKIPPED;
    }

    @Override
    public void close() {
        whole.release();
        block = null;
    }

    // ---- the preface and frame headers

    private boolean preface(ByteBuffer input) throws ConnectionFault {
        while (prefaceLength < PREFACE.length && input.hasRemaining()) {
            if (input.get() != PREFACE[prefaceLength++]) {
                throw new ConnectionFault(Fault.PROTOCOL, "no HTTP/2 connection preface");
            }
        }
        if (prefaceLength < PREFACE.length) {
            return false;
        }
        state = State.HEAD;
        return true;
    }

    private boolean head(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        ByteBuffer head = whole.take(input, Frames.HEAD);
        if (head == null) {
            return false;
        }
        int lengthAndType = head.getInt();
        left = lengthAndType >>> 8;
        type = lengthAndType & 0xff;
        flags = head.get() & 0xff;
        id = head.getInt() & 0x7fff_ffff;
        whole.release();
        checkHead();
        begin(sink);
        return true;
    }

    private void checkHead() throws ConnectionFault {
        if (left > Frames.MAX_PAYLOAD) {
            throw new ConnectionFault(
                    Fault.FRAME_SIZE, "a frame of " + left + " octets; expected at most " + Frames.MAX_PAYLOAD);
        }
        if (!settingsReceived && (type != Frames.SETTINGS || (flags & Frames.ACK) != 0)) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame other than SETTINGS after the preface");
        }
        settingsReceived = true;
        boolean continues = type == Frames.CONTINUATION && block != null && block.id() == id;
        if (continues != (block != null || type == Frames.CONTINUATION)) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame other than the next CONTINUATION of a header block");
        }
        if (type == Frames.DATA || type == Frames.HEADERS) {
            ControlFrames.requireStream(id);
            checkPadding();
        } else {
            ControlFrames.check(type, flags, id, left);
        }
    }

    private void checkPadding() throws ConnectionFault {
        int minLength =
                (isSet(Frames.PADDED) ? 1 : 0) + (type == Frames.HEADERS && isSet(Frames.WITH_PRIORITY) ? 5 : 0);
        if (left < minLength) {
            throw new ConnectionFault(Fault.FRAME_SIZE, "a frame that is too short for its flags");
        }
    }

    private void begin(FrameSink sink) throws ConnectionFault {
        padding = 0;
        uncounted = 0;
        switch (type) {
            case Frames.DATA -> state = isSet(Frames.PADDED) ? State.PAD_LENGTH : State.DATA;
            case Frames.HEADERS,
                    Frames.PRIORITY,
                    Frames.RST_STREAM,
                    Frames.SETTINGS,
                    Frames.PING,
                    Frames.GOAWAY,
                    Frames.WINDOW_UPDATE,
                    Frames.CONTINUATION,
                    Frames.PRIORITY_UPDATE -> state = State.PAYLOAD;
            default -> {
                sink.glitch();
                state = State.SKIPPED;
            }
        }
    }

    private boolean isSet(int flag) {
        return (flags & flag) != 0;
    }

    // ---- DATA

    private boolean padLength(ByteBuffer input) throws ConnectionFault {
        if (!input.hasRemaining()) {
            return false;
        }
        padding = input.get() & 0xff;
        left -= 1 + padding;
        if (left < 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "padding that is longer than its frame");
        }
        uncounted = 1 + padding;
        state = State.DATA;
        return true;
    }

    private boolean data(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        if (left > 0 && !input.hasRemaining()) {
            return false;
        }
        int length = Math.min(left, input.remaining());
        int flowLength = length + uncounted;
        uncounted = 0;
        left -= length;
        boolean end = left == 0 && isSet(Frames.END_STREAM);
        if (left == 0) {
            left = padding;
            state = State.PADDING;
        }
        sink.data(id, input, length, flowLength, end);
        return true;
    }

    private boolean skip(ByteBuffer input) {
        int length = Math.min(left, input.remaining());
        input.position(input.position() + length);
        left -= length;
        if (left > 0) {
            return false;
        }
        state = State.HEAD;
        return true;
    }

    // ---- frames that are parsed when they are complete

    private boolean payload(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        ByteBuffer payload = whole.take(input, left);
        if (payload == null) {
            return false;
        }
        state = State.HEAD;
        int end = payload.limit();
        int next = payload.position() + left;
        payload.limit(next);
        try {
            switch (type) {
                case Frames.HEADERS -> headers(payload, sink);
                case Frames.CONTINUATION -> continuation(payload, sink);
                default -> ControlFrames.read(type, flags, id, payload, sink);
            }
        } finally {
            payload.limit(end);
            payload.position(next);
        }
        whole.release();
        return true;
    }

    private void headers(ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        int pad = isSet(Frames.PADDED) ? payload.get() & 0xff : 0;
        if (isSet(Frames.WITH_PRIORITY)) {
            ControlFrames.requireOther(id, payload.getInt());
            payload.get();
        }
        if (pad > payload.remaining()) {
            throw new ConnectionFault(Fault.PROTOCOL, "padding that is longer than its frame");
        }
        payload.limit(payload.limit() - pad);
        int most = (int) Math.min(
                Integer.MAX_VALUE / 2,
                (long) MAX_BLOCK_FACTOR * rules.options().get(HttpOptions.MAX_REQUEST_HEADER_SIZE));
        HeaderBlock begun = new HeaderBlock(id, isSet(Frames.END_STREAM), most);
        begun.add(payload);
        block = begun;
        if (isSet(Frames.END_HEADERS)) {
            complete(begun, sink);
        }
    }

    private void continuation(ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        HeaderBlock begun = block;
        if (begun == null) {
            throw new IllegalStateException("no header block to continue");
        }
        if (!payload.hasRemaining()) {
            sink.glitch();
        }
        begun.addContinuation(payload);
        if (isSet(Frames.END_HEADERS)) {
            complete(begun, sink);
        }
    }

    private void complete(HeaderBlock whole, FrameSink sink) throws ConnectionFault {
        block = null;
        switch (sink.headers(whole.id(), whole.isEnd())) {
            case REQUEST -> request(whole, sink);
            case RESPONSE -> response(whole, sink);
            case TRAILERS -> trailers(whole, sink);
            case IGNORED -> decode(whole, 0, Ignored.FIELDS);
        }
    }

    /** Parses the head of a response. Overridden by clients; servers receive none. */
    void response(HeaderBlock whole, FrameSink sink) throws ConnectionFault {
        throw new IllegalStateException("a response to a server");
    }

    private void request(HeaderBlock whole, FrameSink sink) throws ConnectionFault {
        RequestFields fields = new RequestFields(rules.streams(), whole.isEnd());
        decode(whole, rules.maxListSize(), fields);
        RequestFault error = fields.check();
        if (error == null) {
            if (fields.isTunnel()) {
                sink.connect(whole.id(), fields.head(), fields.priority());
            } else {
                sink.request(whole.id(), fields.head(), fields.priority(), whole.isEnd());
            }
            return;
        }
        sink.violated(error);
        if (error.isMalformed()) {
            sink.malformed(whole.id(), error.found(), fields.line(), () -> note(error));
        } else {
            sink.refused(whole.id(), error.status(), error.found(), fields.line(), whole.isEnd(), () -> note(error));
        }
    }

    private void trailers(HeaderBlock whole, FrameSink sink) throws ConnectionFault {
        TrailerFields fields = new TrailerFields(rules.options());
        decode(whole, rules.maxTrailerListSize(), fields);
        RequestFault error = fields.trailers.fault(whole.isEnd());
        if (error == null) {
            sink.trailers(whole.id(), fields.trailers.headers());
        } else {
            note(error);
            sink.fault(whole.id(), Fault.PROTOCOL, error.found());
        }
    }

    /** Logs a rejected request. */
    void note(RequestFault error) {
        rules.streams().note(error, info);
    }

    final void decode(HeaderBlock whole, int maxListSize, HpackDecoder.Fields fields) throws ConnectionFault {
        byte[] bytes = whole.bytes();
        try {
            decoder.decode(bytes, 0, bytes.length, maxListSize, fields);
        } catch (HpackException e) {
            throw new ConnectionFault(Fault.COMPRESSION, String.valueOf(e.getMessage()));
        }
    }

    /** Discards the fields of blocks that are decoded only to keep the dynamic table in sync. */
    private enum Ignored implements HpackDecoder.Fields {
        FIELDS;

        @Override
        public boolean field(String name, String value, boolean checked) {
            return checked;
        }

        @Override
        public void tooLarge() {}
    }

    /** The fields after a request's body (RFC 9113, 8.1). */
    private static final class TrailerFields implements HpackDecoder.Fields {

        private final StreamTrailers trailers;

        TrailerFields(Settings options) {
            trailers = new StreamTrailers(options);
        }

        @Override
        public boolean field(String name, String value, boolean checked) {
            boolean valid = checked || FieldCheck.check(name, value) == null;
            if (valid) {
                trailers.add(name, value);
            } else {
                trailers.malformed();
            }
            return valid;
        }

        @Override
        public void tooLarge() {
            trailers.tooLarge();
        }
    }
}
