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
 * A request of HTTP/1.1 that asks for HTTP/2 (RFC 7540, 3.2), which RFC 9113 has withdrawn and clients such as curl still send.
 * Read strictly: the Upgrade field names {@code h2c}, there is one HTTP2-Settings field, and the Connection field names both,
 * so that no proxy has passed them on by mistake.
 *
 * @param request as HTTP/2 would have sent it
 * @param priority null if the request does not say
 */
record CleartextUpgrade(RequestHead request, @Nullable Priority priority, PeerSettings settings) {

    /** In the Upgrade field. */
    static final String NAME = "h2c";

    private static final String UPGRADE = "upgrade";
    private static final String SETTINGS = "http2-settings";

    /** What is asked for; null if that is not this, or not as it has to be. */
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

    /** A payload of SETTINGS in base64url, without padding (RFC 7540, 3.2.1). */
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
        return field == null ? null : Priority.parse(field, Http2Rules.SAID);
    }

    /** What concerned the connection ends with the upgrade. */
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
