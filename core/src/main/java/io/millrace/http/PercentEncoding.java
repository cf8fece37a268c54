package io.millrace.http;

import java.nio.charset.StandardCharsets;

/** Percent-encodes the characters that are not allowed in a URL (RFC 3986); keeps the rest, including existing escapes. */
public final class PercentEncoding {

    private static final String UNSAFE = "\"<>\\^`{|}";

    private PercentEncoding() {}

    /** Escapes control characters, spaces, non-ASCII characters and the others not allowed in a URL, as UTF-8. */
    public static String escape(String url) {
        return escape(url, false);
    }

    /** Encodes a decoded path: escapes percent signs, question marks, hashes and semicolons as well. */
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
