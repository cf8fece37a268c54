package io.millrace.connector.spdy;

import io.millrace.client.mux.ResponseAssembly;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameReader;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.FrameSink.HeadersKind;
import io.millrace.protocol.mux.Priority;
import io.millrace.protocol.mux.StreamTrailers;
import io.millrace.protocol.mux.WholeBytes;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the frames of one connection, strictly (SPDY/3, 2.2 and 2.6); {@link State} has its states. */
final class SpdyReader implements FrameReader {

    /**
     * What the reader expects next.
     *
     * <pre>
     * HEAD ──▸ DATA ──▸ HEAD                        incrementally
     *   ├──▸ BLOCK_HEAD ──▸ BLOCK ──▸ HEAD          SYN_STREAM, SYN_REPLY and HEADERS, decompressed incrementally
     *   ├──▸ SKIPPED ──▸ HEAD                       unknown types
     *   └──▸ PAYLOAD ──▸ HEAD                       all others, once they are complete
     * </pre>
     */
    enum State {
        /** The frame header, eight octets. */
        HEAD,
        /** The body in a DATA frame. */
        DATA,
        /** The fields before a header block. */
        BLOCK_HEAD,
        /** A header block. */
        BLOCK,
        /** The payload of a frame that is ignored. */
        SKIPPED,
        /** The payload of a frame that is parsed when it is complete. */
        PAYLOAD
    }

    private final SpdyRules rules;
    private final ConnectionInfo info;
    private final SpdyControlFrames controls;
    private final HeaderInflater inflater;
    /** The frame that begins a message of the peer: SYN_STREAM of a client, SYN_REPLY of a server. */
    private final int opening;

    private State state = State.HEAD;
    private boolean begun;

    /** A frame header or a payload. */
    private final WholeBytes whole = new WholeBytes();

    // the frame being read
    private int type;
    private int flags;
    private int left;
    private int id;
    private Priority priority = Priority.UNSAID;

    /** The highest stream id of a request. */
    private int last;

    // of the header block being read: at most one is set
    private @Nullable SpdyRequestFields request;
    private @Nullable ResponseFields response;
    private @Nullable TrailerFields trailers;

    /** The reader of a server. */
    SpdyReader(SpdyRules rules, ConnectionInfo info) {
        this(rules, info, SpdyFrame.SYN_STREAM);
    }

    private SpdyReader(SpdyRules rules, ConnectionInfo info, int opening) {
        this.rules = rules;
        this.info = info;
        this.opening = opening;
        boolean client = opening == SpdyFrame.SYN_REPLY;
        begun = client; // a server need not send anything before the first request
        controls = new SpdyControlFrames(rules.version(), client);
        inflater = new HeaderInflater(rules.maxBlockSize());
    }

    /** The reader of a client. */
    static SpdyReader ofClient(SpdyRules rules, ConnectionInfo info) {
        return new SpdyReader(rules, info, SpdyFrame.SYN_REPLY);
    }

    @Override
    public void read(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        boolean more = true;
        while (more && !(input.hasRemaining() && sink.isTurnOver())) {
            more = switch (state) {
                case HEAD -> head(input, sink);
                case DATA -> data(input, sink);
                case BLOCK_HEAD -> blockHead(input);
                case BLOCK -> block(input, sink);
                case SKIPPED -> skip(input);
                case PAYLOAD -> payload(input, sink);
            };
        }
    }

    @Override
    public boolean allowsResetsOfUnopened() {
        return true; // SPDY/3.1, 2.4.2 and 2.6.3 name no error
    }

    @Override
    public boolean isWithinFrame() {
        return !begun || whole.isBegun() || state != State.HEAD && state != State.DATA;
    }

    @Override
    public void close() {
        whole.release();
        request = null;
        response = null;
        trailers = null;
        inflater.close();
    }

    // ---- frame headers

    private boolean head(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        ByteBuffer head = whole.take(input, SpdyFrame.HEAD);
        if (head == null) {
            return false;
        }
        int first = head.getInt();
        int second = head.getInt();
        whole.release();
        begun = true;
        flags = second >>> 24;
        left = second & 0xff_ffff;
        if (first < 0) {
            control(first >>> 16 & 0x7fff, first & 0xffff, sink);
        } else {
            SpdyControlFrames.requireStream(first);
            id = first;
            state = State.DATA;
        }
        return true;
    }

    private void control(int version, int kind, FrameSink sink) throws ConnectionFault {
        if (version != SpdyFrame.VERSION) {
            throw new ConnectionFault(
                    Fault.PROTOCOL, "a frame of version " + version + " of SPDY; expected " + SpdyFrame.VERSION);
        }
        type = kind;
        switch (kind) {
            case SpdyFrame.SYN_STREAM, SpdyFrame.SYN_REPLY, SpdyFrame.HEADERS -> {
                if (kind != opening && kind != SpdyFrame.HEADERS) {
                    throw new ConnectionFault(
                            Fault.PROTOCOL,
                            kind == SpdyFrame.SYN_REPLY
                                    ? "SYN_REPLY from a client"
                                    : "SYN_STREAM from a server, although push is disabled");
                }
                requireBlock();
                state = State.BLOCK_HEAD;
            }
            case SpdyFrame.RST_STREAM,
                    SpdyFrame.SETTINGS,
                    SpdyFrame.PING,
                    SpdyFrame.GOAWAY,
                    SpdyFrame.WINDOW_UPDATE -> {
                SpdyControlFrames.check(kind, left);
                state = State.PAYLOAD;
            }
            default -> { // CREDENTIAL and unknown types (2.2.1)
                sink.glitch();
                state = State.SKIPPED;
            }
        }
    }

    private void requireBlock() throws ConnectionFault {
        if (left < SpdyFrame.blockHead(type)) {
            throw new ConnectionFault(Fault.FRAME_SIZE, "a frame that is too short for its type");
        }
        if (left - SpdyFrame.blockHead(type) > rules.maxBlockSize()) {
            throw new ConnectionFault(
                    Fault.FRAME_SIZE, "a header block of " + left + " octets; to allow more, raise maxHttpHeaderSize");
        }
    }

    // ---- DATA, and ignored frames

    private boolean data(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        if (left > 0 && !input.hasRemaining()) {
            return false;
        }
        int length = Math.min(left, input.remaining());
        left -= length;
        if (left == 0) {
            state = State.HEAD;
        }
        sink.data(id, input, length, length, left == 0 && isSet(SpdyFrame.FIN));
        return true;
    }

    private boolean isSet(int flag) {
        return (flags & flag) != 0;
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

    // ---- header blocks

    private boolean blockHead(ByteBuffer input) throws ConnectionFault {
        int length = SpdyFrame.blockHead(type);
        ByteBuffer head = whole.take(input, length);
        if (head == null) {
            return false;
        }
        id = head.getInt() & SpdyFrame.WITHOUT_SIGN;
        SpdyControlFrames.requireStream(id);
        if (type == SpdyFrame.SYN_STREAM) {
            head.getInt(); // the associated stream of pushed responses
            priority = Priority.of(head.get() >>> 5 & 0x7, true);
            head.get(); // the slot of a CREDENTIAL
        }
        whole.release();
        left -= length;
        if (type == SpdyFrame.SYN_STREAM) {
            beginRequest();
        } else if (type == SpdyFrame.SYN_REPLY) {
            ResponseFields fields = new ResponseFields(rules.options());
            response = fields;
            inflater.begin(new NameValueBlock(rules.texts(), rules.maxListSize(), fields));
        } else {
            beginTrailers();
        }
        state = State.BLOCK;
        return true;
    }

    private void beginRequest() throws ConnectionFault {
        if (id <= last) {
            throw new ConnectionFault(
                    Fault.PROTOCOL,
                    "a SYN_STREAM whose stream id is not higher than the previous ones (SPDY/3, 2.3.2)");
        }
        last = id;
        SpdyRequestFields fields =
                new SpdyRequestFields(rules.streams(), rules.version().ofRequests(), isSet(SpdyFrame.FIN));
        request = fields;
        inflater.begin(new NameValueBlock(rules.texts(), rules.maxListSize(), fields));
    }

    private void beginTrailers() throws ConnectionFault {
        if (opening == SpdyFrame.SYN_STREAM && id > last) {
            throw new ConnectionFault(Fault.PROTOCOL, "HEADERS for a stream that was not opened");
        }
        TrailerFields fields = new TrailerFields(rules.options());
        trailers = fields;
        inflater.begin(new NameValueBlock(rules.texts(), rules.maxTrailerListSize(), fields));
    }

    private boolean block(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        int length = Math.min(left, input.remaining());
        int limit = input.limit();
        input.limit(input.position() + length);
        try {
            inflater.read(input);
        } finally {
            input.limit(limit);
        }
        left -= length;
        if (left > 0) {
            return false;
        }
        inflater.end();
        state = State.HEAD;
        SpdyRequestFields head = request;
        ResponseFields answer = response;
        TrailerFields tail = trailers;
        request = null;
        response = null;
        trailers = null;
        if (head != null) {
            report(head, sink);
        } else if (answer != null) {
            report(answer, sink);
        } else if (tail != null) {
            report(tail, sink);
        }
        return true;
    }

    private void report(SpdyRequestFields fields, FrameSink sink) throws ConnectionFault {
        boolean end = isSet(SpdyFrame.FIN);
        if (sink.headers(id, end) != HeadersKind.REQUEST) {
            return;
        }
        RequestFault error = isSet(SpdyFrame.UNIDIRECTIONAL) ? RequestFault.UNIDIRECTIONAL : fields.check();
        if (error == null) {
            sink.request(id, fields.head(), priority, end);
            return;
        }
        sink.violated(error);
        if (error.isMalformed()) {
            sink.malformed(
                    id, error.found(), fields.line(), () -> rules.streams().note(error, info));
        } else {
            sink.refused(
                    id,
                    error.status(),
                    error.found(),
                    fields.line(),
                    end,
                    () -> rules.streams().note(error, info));
        }
    }

    private void report(ResponseFields fields, FrameSink sink) throws ConnectionFault {
        boolean end = isSet(SpdyFrame.FIN);
        HeadersKind kind = sink.headers(id, end);
        if (kind == HeadersKind.IGNORED) {
            return;
        }
        String wrong = kind == HeadersKind.RESPONSE ? fields.assembly().check(end) : "a second SYN_REPLY";
        ResponseHead head = fields.assembly().head();
        if (wrong == null && head.status() < 200) {
            wrong = "an interim response, which SPDY does not have";
        }
        if (wrong == null) {
            sink.response(id, head, end);
        } else {
            sink.fault(id, Fault.PROTOCOL, wrong);
        }
    }

    private void report(TrailerFields fields, FrameSink sink) throws ConnectionFault {
        boolean end = isSet(SpdyFrame.FIN);
        HeadersKind kind = sink.headers(id, end);
        if (kind == HeadersKind.RESPONSE) {
            sink.fault(id, Fault.PROTOCOL, "HEADERS before SYN_REPLY");
        }
        if (kind != HeadersKind.TRAILERS) {
            return;
        }
        RequestFault error = fields.trailers.fault(end);
        if (error == null) {
            sink.trailers(id, fields.trailers.headers());
        } else {
            if (opening == SpdyFrame.SYN_STREAM) { // errors of responses are reported to the sender of the request
                rules.streams().note(error, info);
            }
            sink.fault(id, Fault.PROTOCOL, error.found());
        }
    }

    // ---- frames that are parsed when they are complete

    private boolean payload(ByteBuffer input, FrameSink sink) throws ConnectionFault {
        ByteBuffer payload = whole.take(input, left);
        if (payload == null) {
            return false;
        }
        state = State.HEAD;
        int end = payload.limit();
        payload.limit(payload.position() + left);
        try {
            controls.read(type, payload, sink);
        } finally {
            payload.position(payload.limit());
            payload.limit(end);
        }
        whole.release();
        return true;
    }

    /**
     * Assembles a response from the fields of a header block: {@code :status} and {@code :version}, anywhere in the block, replace the
     * status line (SPDY/3, 3.2.2). The status may be followed by a reason phrase.
     */
    private static final class ResponseFields implements NameValueBlock.Fields {

        private final ResponseAssembly assembly;
        private final Set<String> names = new HashSet<>();

        ResponseFields(Settings options) {
            assembly = new ResponseAssembly(options);
        }

        @Override
        public void field(String name, String value) {
            if (!names.add(name)) {
                assembly.wrong(RequestFault.REPEATED_FIELD.found());
            } else if (name.equals(":status")) {
                int space = value.indexOf(' ');
                assembly.status(space < 0 ? value : value.substring(0, space));
            } else if (!name.equals(":version")) {
                RequestFault bad = SpdyFields.checkName(name);
                note(bad != null ? bad : SpdyFields.split(name, value, this::add));
            }
        }

        private void note(@Nullable RequestFault bad) {
            if (bad != null) {
                assembly.wrong(bad.found());
            }
        }

        private @Nullable RequestFault add(String name, String value) {
            assembly.field(name, value);
            return null;
        }

        @Override
        public void tooLarge() {
            assembly.wrong("a response head that is too large; to allow more, raise maxHttpResponseHeaderSize");
        }

        ResponseAssembly assembly() {
            return assembly;
        }
    }

    /** The trailers of a message, in a HEADERS frame (SPDY/3, 2.6.7). */
    private static final class TrailerFields implements NameValueBlock.Fields {

        private final StreamTrailers trailers;
        private final Set<String> names = new HashSet<>();

        TrailerFields(Settings options) {
            trailers = new StreamTrailers(options);
        }

        @Override
        public void field(String name, String value) {
            if (!names.add(name)
                    || SpdyFields.checkName(name) != null
                    || SpdyFields.split(name, value, this::add) != null) {
                trailers.malformed();
            }
        }

        private @Nullable RequestFault add(String name, String value) {
            trailers.add(name, value);
            return null;
        }

        @Override
        public void tooLarge() {
            trailers.tooLarge();
        }
    }
}
