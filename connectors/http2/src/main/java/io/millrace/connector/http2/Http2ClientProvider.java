package io.millrace.connector.http2;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientScheme;
import io.millrace.client.mux.ClientFrameWriter;
import io.millrace.client.mux.MuxClient;
import io.millrace.client.mux.ResponseAssembly;
import io.millrace.connector.http2.hpack.FieldName;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/** Provides the HTTP/2 client (RFC 9113) for the schemes {@code h2}, with TLS, and {@code h2c}, without (prior knowledge). */
public final class Http2ClientProvider implements ClientProtocolProvider {

    private static final String PROTOCOL = "HTTP/2";

    /** For the service loader. */
    public Http2ClientProvider() {}

    @Override
    public List<ClientScheme> schemes() {
        return List.of(
                ClientScheme.of("h2c", PROTOCOL, 80, false),
                new ClientScheme("h2", PROTOCOL, 443, true, List.of(Http2Protocol.ID)));
    }

    @Override
    public List<Setting<?>> settings() {
        return MuxOptions.ofClients();
    }

    @Override
    public ClientProtocol create(
            ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        Settings client = MuxOptions.ofClient(settings, responseTimeout, keepAliveTimeout);
        Http2Rules rules = new Http2Rules(client, scheme.secure() ? "https" : "http");
        return new MuxClient(client, Http2Protocol.ID, info -> new Reader(rules, info), () -> new Writer(rules));
    }

    /** Reads the frames of a server, which begin with SETTINGS, without a preface (RFC 9113, 3.4). */
    private static final class Reader extends Http2Reader {

        private final Http2Rules rules;

        Reader(Http2Rules rules, ConnectionInfo info) {
            super(rules, info, State.HEAD);
            this.rules = rules;
        }

        @Override
        void response(HeaderBlock whole, FrameSink sink) throws ConnectionFault {
            ResponseFields fields = new ResponseFields(rules.options());
            decode(whole, rules.maxListSize(), fields);
            String wrong = fields.assembly().check(whole.isEnd());
            if (wrong != null) {
                sink.fault(whole.id(), Fault.PROTOCOL, wrong);
                return;
            }
            ResponseHead head = fields.assembly().head();
            if (head.status() < 200) {
                sink.interim(whole.id(), head.status(), head.headers());
            } else {
                sink.response(whole.id(), head, whole.isEnd());
            }
        }

        /** Not logged: the failure is reported to the sender of the request. */
        @Override
        void note(RequestFault error) {}
    }

    /** Assembles a response from the fields of a header block: {@code :status} is first, and the only pseudo-header field (RFC 9113, 8.3.2). */
    private static final class ResponseFields implements HpackDecoder.Fields {

        private final ResponseAssembly assembly;
        private boolean regular;

        ResponseFields(Settings options) {
            assembly = new ResponseAssembly(options);
        }

        @Override
        public boolean field(String name, String value, boolean checked) {
            if (!name.isEmpty() && name.charAt(0) == ':') {
                if (regular || !name.equals(":status")) {
                    assembly.wrong("a pseudo-header field that is not permitted there in a response");
                } else {
                    assembly.status(value);
                }
                return false;
            }
            regular = true;
            RequestFault bad = checked ? null : FieldCheck.check(name, value);
            if (bad == null) {
                assembly.field(name, value);
            } else {
                assembly.wrong(bad.found());
            }
            return bad == null;
        }

        @Override
        public void tooLarge() {
            assembly.wrong("a response head that is too large; to allow more, raise maxHttpResponseHeaderSize");
        }

        ResponseAssembly assembly() {
            return assembly;
        }
    }

    /** Writes the frames of a client: the preface, then requests (RFC 9113, 3.4 and 8.3.1). Server push is disabled. */
    private static final class Writer extends Http2Writer implements ClientFrameWriter {

        private static final FieldName METHOD = FieldName.pseudo(":method");
        private static final FieldName SCHEME = FieldName.pseudo(":scheme");
        private static final FieldName AUTHORITY = FieldName.pseudo(":authority");
        private static final FieldName PROTOCOL = FieldName.pseudo(":protocol");
        private static final FieldName PATH = FieldName.pseudo(":path");

        private final Http2Rules rules;

        Writer(Http2Rules rules) {
            super(rules);
            this.rules = rules;
        }

        @Override
        public void start(Batch to) {
            to.put(Http2Reader.PREFACE, 0, Http2Reader.PREFACE.length);
            settings(to, new int[] {
                SettingsFrame.ENABLE_PUSH, 0,
                SettingsFrame.INITIAL_WINDOW_SIZE, rules.options().get(MuxOptions.INITIAL_WINDOW_SIZE),
                SettingsFrame.MAX_HEADER_LIST_SIZE, rules.maxListSize()
            });
        }

        @Override
        public void request(int id, ClientRequest request, boolean end, Batch to) {
            Headers fields = request.headers();
            String authority = fields.get("Host");
            String host = authority == null ? "" : authority;
            String protocol = request.upgrade();
            String method = protocol == null ? request.method() : Method.CONNECT;
            long own = method.length()
                    + request.target().length()
                    + (long) host.length()
                    + (protocol == null ? 0 : protocol.length());
            block(id, protocol == null ? fields : withoutKey(fields), own, end, to, (encoder, out) -> {
                encoder.field(METHOD, method, out);
                if (protocol != null) {
                    encoder.field(PROTOCOL, protocol, out);
                }
                encoder.field(SCHEME, rules.streams().scheme(), out);
                encoder.field(AUTHORITY, host, out);
                encoder.field(PATH, request.target(), out);
                if (request.contentLength() > 0 || end && Method.announcesNothing(request.method())) {
                    encoder.field(CONTENT_LENGTH, Long.toString(request.contentLength()), out);
                }
            });
        }

        /** True: with extended CONNECT (RFC 8441, 4). */
        @Override
        public boolean hasTunnels() {
            return true;
        }

        /** HTTP/2 does not use the key of WebSocket handshakes (RFC 8441, 5). */
        private static Headers withoutKey(Headers fields) {
            return fields.copy().remove("Sec-WebSocket-Key");
        }

        /** {@code :authority} replaces the Host field. */
        @Override
        boolean isSent(FieldName name) {
            return super.isSent(name) && !name.text().equals("host");
        }
    }
}
