package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.servlet.settings.FormLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads an entire {@code application/x-www-form-urlencoded} body, within {@link FormLimits#maxPostSize}. */
final class FormBody {

    private final InputStream body;
    private final long length;
    private final long limit;

    /**
     * The body of one request.
     *
     * @param length the Content-Length; -1 if unknown
     */
    FormBody(InputStream body, long length, long limit) {
        this.body = body;
        this.length = length;
        this.limit = limit;
    }

    /** Reads the body, with one char per byte. */
    String read() throws IOException {
        check(length);
        if (length >= 0 && length <= Integer.MAX_VALUE - 8) {
            return new String(body.readNBytes((int) length), ISO_8859_1);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] piece = new byte[8 * 1024];
        for (int n = body.read(piece); n >= 0; n = body.read(piece)) {
            bytes.write(piece, 0, n);
            check(bytes.size());
        }
        return bytes.toString(ISO_8859_1);
    }

    private void check(long bytes) {
        if (limit >= 0 && bytes > limit) {
            throw new FormException(
                    413,
                    "The form has " + (length >= 0 ? length + " bytes, more than " : "more than ") + limit
                            + ": raise maxPostSize to accept it.");
        }
    }
}
