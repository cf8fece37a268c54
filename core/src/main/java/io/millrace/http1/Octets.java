package io.millrace.http1;

import io.millrace.http.FieldSyntax;
import java.nio.charset.StandardCharsets;

/** Tables of the octets that the syntax allows. */
final class Octets {

    static final byte CR = '\r';
    static final byte LF = '\n';

    /** A token's octets (RFC 9110, 5.6.2) in lower case; 0 for all others. */
    static final byte[] TOKEN_LOWER = new byte[256];

    /** Octets of a field value: visible ones, space, tab, and 0x80 to 0xff, which are opaque (RFC 9110, 5.5). */
    static final boolean[] FIELD_VALUE = new boolean[256];

    static {
        for (char c = 0; c < 256; c++) {
            boolean upper = c >= 'A' && c <= 'Z';
            TOKEN_LOWER[c] = FieldSyntax.isTokenChar(c) ? (byte) (upper ? c - 'A' + 'a' : c) : 0;
            FIELD_VALUE[c] = FieldSyntax.isValueChar(c);
        }
    }

    private Octets() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes, int from, int to) {
        return from == to ? "" : new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The value of a hex digit, or -1. */
    static int hex(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
