package io.millrace.http;

import org.jspecify.annotations.Nullable;

/** The syntax of a host with an optional port (RFC 3986, 3.2.2; RFC 9110, 7.2): no user, no empty host before a port. */
public final class Authority {

    private static final int MAX_PORT = 65535;
    private static final int MAX_PORT_DIGITS = 5;
    private static final String IN_NAMES = "-._~!$&'()*+,;=";

    private Authority() {}

    /** Is this a host, with or without a port? */
    public static boolean isValid(String text) {
        int hostEnd = text.startsWith("[") ? endOfAddress(text) : endOfName(text);
        if (hostEnd <= 0) {
            return false;
        }
        return hostEnd == text.length() || text.charAt(hostEnd) == ':' && isPort(text, hostEnd + 1);
    }

    /** The same with the port required (CONNECT). */
    public static boolean isValidWithPort(String text) {
        int colon = text.lastIndexOf(':');
        return colon > 0 && colon < text.length() - 1 && text.charAt(text.length() - 1) != ']' && isValid(text);
    }

    /** The host alone, an IPv6 address in its brackets; null if there is none. */
    public static @Nullable String hostOf(@Nullable String authority) {
        if (authority == null || authority.isEmpty()) {
            return null;
        }
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    private static int endOfName(String text) {
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '%' && isEscape(text, at)) {
                at += 3;
            } else if (isLetterOrDigit(c) || IN_NAMES.indexOf(c) >= 0) {
                at++;
            } else {
                break;
            }
        }
        return at;
    }

    /** An IPv6 address, loosely: hex digits, colons and dots (RFC 3986's IPvFuture was never used). */
    private static int endOfAddress(String text) {
        int at = 1;
        boolean colon = false;
        while (at < text.length() && isInAddress(text.charAt(at))) {
            colon |= text.charAt(at) == ':';
            at++;
        }
        boolean closed = at < text.length() && text.charAt(at) == ']';
        return closed && colon ? at + 1 : -1;
    }

    /** An empty port is allowed (RFC 3986, 3.2.3). */
    private static boolean isPort(String text, int from) {
        if (text.length() - from > MAX_PORT_DIGITS) {
            return false;
        }
        int port = 0;
        for (int i = from; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            port = 10 * port + digit;
        }
        return port <= MAX_PORT;
    }

    private static boolean isEscape(String text, int at) {
        return at + 2 < text.length() && isHex(text.charAt(at + 1)) && isHex(text.charAt(at + 2));
    }

    private static boolean isInAddress(char c) {
        return isHex(c) || c == ':' || c == '.';
    }

    private static boolean isHex(char c) {
        return c < 0x80 && Character.digit(c, 16) >= 0;
    }

    private static boolean isLetterOrDigit(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
