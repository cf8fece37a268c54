package io.millrace.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * References to places of the host that was asked, for {@code Location} fields (RFC 9110, 10.2.2). Every redirect that the
 * server makes by itself of what a client sent is made here.
 */
public final class LocalReference {

    private static final String UNSAFE = "\"<>\\^`{|}";

    private LocalReference() {}

    /**
     * A path and query of the same host, as a relative reference (RFC 3986, 4.2). It begins with exactly one slash: two
     * would name another host, and browsers take a backslash for a slash and drop tabs and line ends before they look. What
     * no URL may hold is escaped, as UTF-8; escapes that are there stay.
     *
     * @param path as a client sent it
     * @param query as a client sent it, without the question mark; null if there is none
     */
    public static String of(String path, @Nullable String query) {
        int at = 0;
        while (at < path.length() && isDropped(path.charAt(at))) {
            at++;
        }
        StringBuilder out = new StringBuilder(path.length() + 16).append('/');
        escape(path.substring(at), out);
        if (query != null) {
            escape(query, out.append('?'));
        }
        return out.toString();
    }

    /** The same with a slash at the end of the path: from a directory's name to the directory. */
    public static String ofDirectory(String path, @Nullable String query) {
        return of(path + "/", query);
    }

    private static boolean isDropped(char c) {
        return c == '/' || c == '\\' || c <= ' ';
    }

    private static void escape(String text, StringBuilder out) {
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f && UNSAFE.indexOf(octet) < 0) {
                out.append((char) octet);
            } else {
                out.append('%').append(hex(octet >> 4)).append(hex(octet));
            }
        }
    }

    private static char hex(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 15, 16));
    }
}
