package io.millrace.http1;

import io.millrace.http.Headers;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;

/** The fields after a response's chunked body (RFC 9112, 7.1.2). */
final class Trailers {

    private static final byte[] LAST_SIZE = Octets.ascii("0\r\n");
    private static final int AROUND = 16;

    /**
     * What must be known before the body, or says where it ends (RFC 9110, 6.5.1): a client may merge trailers into the head,
     * and an application that passes on what it was given must not be able to change the head's meaning.
     */
    private static final Set<String> NOT_ALLOWED = Set.of(
            "age",
            "cache-control",
            "connection",
            "content-encoding",
            "content-length",
            "content-range",
            "content-type",
            "date",
            "expires",
            "host",
            "keep-alive",
            "location",
            "pragma",
            "proxy-authenticate",
            "retry-after",
            "set-cookie",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "vary",
            "www-authenticate");

    private Trailers() {}

    /** The last chunk, with the fields, behind these octets. */
    static ByteBuffer encode(byte[] before, Headers fields) {
        ResponseHeadEncoder encoder = new ResponseHeadEncoder(AROUND + ResponseHeadEncoder.size(fields));
        encoder.octets(before);
        encoder.octets(LAST_SIZE);
        for (int i = 0; i < fields.size(); i++) {
            if (!NOT_ALLOWED.contains(fields.name(i).toLowerCase(Locale.ROOT))) {
                encoder.field(fields.name(i), fields.value(i));
            }
        }
        return encoder.end();
    }
}
