package io.millrace.connector.http2;

import io.millrace.client.ClientRequest;
import io.millrace.client.mux.ClientFrameWriter;
import io.millrace.connector.http2.hpack.FieldName;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.MuxOptions;

/** Writes the frames of a client: the preface, then requests (RFC 9113, 3.4 and 8.3.1). Server push is disabled. */
final class Http2ClientWriter extends Http2Writer implements ClientFrameWriter {

    private static final FieldName METHOD = FieldName.pseudo(":method");
    private static final FieldName SCHEME = FieldName.pseudo(":scheme");
    private static final FieldName AUTHORITY = FieldName.pseudo(":authority");
    private static final FieldName PROTOCOL = FieldName.pseudo(":protocol");
    private static final FieldName PATH = FieldName.pseudo(":path");

    private final Http2Rules rules;

    Http2ClientWriter(Http2Rules rules) {
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
