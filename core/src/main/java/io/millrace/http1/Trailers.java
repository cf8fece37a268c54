package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.TrailerSyntax;
import java.nio.ByteBuffer;

/** The fields after a response's chunked body (RFC 9112, 7.1.2). */
final class Trailers {

    private static final byte[] LAST_SIZE = Octets.ascii("0\r\n");
    private static final int AROUND = 16;

    private Trailers() {}

    /** The last chunk, with the fields, behind these octets. */
    static ByteBuffer encode(byte[] before, Headers fields) {
        HeadEncoder encoder = new HeadEncoder(AROUND + HeadEncoder.size(fields));
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
