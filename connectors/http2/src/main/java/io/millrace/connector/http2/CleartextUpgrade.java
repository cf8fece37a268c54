package io.millrace.connector.http2;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.Tokens;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.ConnectionFields;
import io.millrace.protocol.mux.PeerSettings;
import io.millrace.protocol.mux.Priority;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 request to upgrade to HTTP/2 (RFC 7540, 3.2), which RFC 9113 has withdrawn and clients such as curl still send.
 * Parsed strictly: the Upgrade field must contain {@code h2c}, there must be one HTTP2-Settings field, and the Connection field
 * must name both, so that a proxy cannot have forwarded them by mistake.
 *
 * @param request the request as HTTP/2 would transmit it
 * @param priority null if the request has none
 */
record CleartextUpgrade(RequestHead request, @Nullable Priority priority, PeerSettings settings) {

    /** The protocol name in the Upgrade field. */
    static final String NAME = "h2c";

    private static final String UPGRADE = "upgrade";
    private static final String SETTINGS = "http2-settings";

    /** Parses a request; null if it is not such an upgrade, or malformed. */
    static @Nullable CleartextUpgrade of(RequestHead request) {
        Headers fields = request.headers();
        List<String> settings = fields.all(SETTINGS);
        List<String> connection = fields.all("Connection");
        if (settings.size() != 1
                || !Tokens.contains(fields.all(UPGRADE), NAME)
                || !Tokens.contains(connection, UPGRADE)
                || !Tokens.contains(connection, SETTINGS)) {
            return null;
        }
        PeerSettings read = read(settings.get(0));
        return read == null ? null : new CleartextUpgrade(inHttp2(request), priority(fields), read);
    }

    /** Parses a SETTINGS payload in base64url, without padding (RFC 7540, 3.2.1). */
    private static @Nullable PeerSettings read(String value) {
        if (value.indexOf('=') >= 0) {
            return null;
        }
        try {
            byte[] payload = Base64.getUrlDecoder().decode(value);
            return payload.length % SettingsFrame.SIZE == 0 ? SettingsFrame.read(ByteBuffer.wrap(payload)) : null;
        } catch (IllegalArgumentException | ConnectionFault malformed) {
            return null;
        }
    }

    private static @Nullable Priority priority(Headers fields) {
        String field = fields.get("priority");
        return field == null ? null : Priority.parse(field, Http2Rules.DEFAULT_PRIORITY);
    }

    /** The request without the fields that concern the HTTP/1.1 connection. */
    private static RequestHead inHttp2(RequestHead request) {
        Headers fields = new Headers();
        Headers sent = request.headers();
        for (int i = 0; i < sent.size(); i++) {
            String name = sent.name(i);
            if (!ConnectionFields.contains(name) && !name.equalsIgnoreCase(SETTINGS)) {
                fields.add(name, sent.value(i));
            }
        }
        return new RequestHead(
                request.method(),
                request.target(),
                request.path(),
                request.query(),
                HttpVersion.HTTP_2,
                request.scheme(),
                request.authority(),
                fields,
                0);
    }
}
