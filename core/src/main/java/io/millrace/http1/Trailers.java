package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.TrailerSyntax;
import java.nio.ByteBuffer;

/** Encodes the trailer section of a chunked body (RFC 9112, 7.1.2). */
final class Trailers {

    private static final byte[] LAST_SIZE = Octets.ascii("0\r\n");
    private static final int FRAMING_SIZE = 16;

    private Trailers() {}

    /** These octets, followed by the last chunk and the fields. */
    static ByteBuffer encode(byte[] before, Headers fields) {
        HeadEncoder encoder = new HeadEncoder(FRAMING_SIZE + HeadEncoder.size(fields));
        encoder.octets(before);
        encoder.octets(LAST_SIZE);
        for (int i = 0; i < fields.size(); i++) {
            if (TrailerSyntax.isAllowed(fields.name(i))) {
                encoder.field(fields.name(i), fields.value(i));
            }
        }
        return encoder.end();
    }
}
