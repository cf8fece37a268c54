package io.millrace.servlet.request;

import java.nio.charset.StandardCharsets;

/** Escapes what may not stand in a URL (RFC 3986), and leaves the rest, existing escapes included, as it is. */
public final class PercentEncoding {

    private static final String UNSAFE = "\"<>\\^`{|}";

    private PercentEncoding() {}

    /** Control characters, blanks, non-ASCII characters and the few others that no URL may hold, as UTF-8 escapes. */
    public static String escape(String url) {
        return escape(url, false);
    }

    /** A decoded path as it would be sent: a percent sign, question mark, hash and semicolon are escaped as well. */
    public static String encode(String path) {
        return escape(path, true);
    }

    private static String escape(String text, boolean decoded) {
        int at = 0;
        while (at < text.length() && isSafe(text.charAt(at), decoded)) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (byte octet : text.substring(at).getBytes(StandardCharsets.UTF_8)) {
            if (octet > 0 && isSafe((char) octet, decoded)) {
                out.append((char) octet);
            } else {
                out.append('%').append(hex(octet >> 4)).append(hex(octet));
            }
        }
        return out.toString();
    }

    private static char hex(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 15, 16));
    }

    private static boolean isSafe(char c, boolean decoded) {
        return c > ' ' && c < 0x7f && UNSAFE.indexOf(c) < 0 && !(decoded && "%?#;".indexOf(c) >= 0);
    }
}
