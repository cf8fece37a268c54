package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.http.Headers;
import java.util.Arrays;

/** Collects the header of one part, up to its empty line, and parses it (RFC 7578, 4.8; RFC 5322, 2.2). */
final class PartHeader {

    private final int limit;
    private byte[] bytes = new byte[128];
    private int length;

    PartHeader(int limit) {
        this.limit = limit;
    }

    /**
     * Adds a byte.
     *
     * @return true if the header is complete
     */
    boolean add(byte b) {
        if (limit >= 0 && length >= limit) {
            throw new FormException(
                    413, "A part's header has more than " + limit + " bytes: raise maxPartHeaderSize to accept it.");
        }
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = b;
        if (b != '\n') {
            return false;
        }
        if (length < 2 || bytes[length - 2] != '\r') {
            throw FormException.malformed("A line of a part's header ends with LF; expected CR LF.");
        }
        return length == 2 || length >= 4 && bytes[length - 3] == '\n';
    }

    /** Returns the fields, and resets the buffer for the next part. */
    Headers take() {
        String text = new String(bytes, 0, length - 2, ISO_8859_1);
        length = 0;
        Headers headers = new Headers();
        // unfolds lines (RFC 5322, 2.2.3), as mail libraries fold them
        for (String line : text.replace("\r\n ", " ").replace("\r\n\t", " ").split("\r\n", -1)) {
            if (!line.isEmpty()) {
                field(line, headers);
            }
        }
        return headers;
    }

    private static void field(String line, Headers headers) {
        int colon = line.indexOf(':');
        if (colon <= 0) {
            throw FormException.malformed("A line of a part's header has no field name; expected \"name: value\".");
        }
        headers.add(line.substring(0, colon).trim(), line.substring(colon + 1).trim());
    }
}
