package io.millrace.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of an authority: a host with an optional port (RFC 3986, 3.2.2; RFC 9110, 7.2). User information and an
 * empty host are invalid.
 */
public final class Authority {

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int MAX_PORT = 65535;
    private static final int MAX_PORT_DIGITS = 5;
    private static final int IPV6_GROUPS = 8;
    private static final String IN_NAMES = "-._~!$&'()*+,;=";
    private static final boolean[] NAME = new boolean[128];

    static {
        for (char c = 0; c < NAME.length; c++) {
            NAME[c] = isLetterOrDigit(c) || IN_NAMES.indexOf(c) >= 0;
        }
    }

    private Authority() {}

    /**
     * The port of a URI that names none (RFC 9110, 4.2.1 and 4.2.2; RFC 6455, 3).
     *
     * @param secure whether its scheme is https or wss, not http or ws
     */
    public static int defaultPort(boolean secure) {
        return secure ? HTTPS_PORT : HTTP_PORT;
    }

    /** Whether the text is a valid host, with or without a port. */
    public static boolean isValid(String text) {
        int hostEnd = text.startsWith("[") ? endOfAddress(text) : endOfName(text);
        if (hostEnd <= 0) {
            return false;
        }
        return hostEnd == text.length() || text.charAt(hostEnd) == ':' && isPort(text, hostEnd + 1);
    }

    /** Whether the text is a valid host with a port, as CONNECT requires. */
    public static boolean isValidWithPort(String text) {
        int colon = text.lastIndexOf(':');
        return colon > 0 && colon < text.length() - 1 && text.charAt(text.length() - 1) != ']' && isValid(text);
    }

    /** The host of an authority, an IPv6 address with its brackets; null if there is none. The authority is not validated. */
    public static @Nullable String hostOf(@Nullable String authority) {
        if (authority == null || authority.isEmpty()) {
            return null;
        }
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    /** The host of an authority in the form in which names are compared: in lower case, without the dot of the root; null if there is none. */
    public static @Nullable String nameOf(@Nullable String authority) {
        String host = hostOf(authority);
        return host == null ? null : toName(host);
    }

    static String toName(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return name.toLowerCase(Locale.ROOT);
    }

    private static int endOfName(String text) {
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '%' && isEscape(text, at)) {
                at += 3;
            } else if (c < NAME.length && NAME[c]) {
                at++;
            } else {
                break;
            }
        }
        return at;
    }

    /**
     * The index after an IPv6 address in brackets (RFC 3986, 3.2.2), or -1 if it is malformed. IPvFuture, which is not
     * in use, is rejected.
     */
    private static int endOfAddress(String text) {
        int end = text.indexOf(']');
        return end > 0 && isIpv6(text, end) ? end + 1 : -1;
    }

    /**
     * Groups of up to four hex digits. An IPv4 address may replace the last two groups, and one double colon any number
     * of groups.
     */
    private static boolean isIpv6(String text, int end) {
        int groups = 0;
        boolean gap = text.startsWith("::", 1);
        int at = gap ? 3 : 1;
        while (at < end) {
            int digits = at;
            while (digits < end && isHex(text.charAt(digits))) {
                digits++;
            }
            if (digits < end && text.charAt(digits) == '.') {
                return isIpv4(text, at, end) && fits(groups + 2, gap);
            }
            if (digits == at || digits - at > 4) {
                return false;
            }
            groups++;
            at = digits;
            if (at < end) {
                boolean another = text.startsWith("::", at);
                if (text.charAt(at) != ':' || another && gap || !another && at + 1 == end) {
                    return false;
                }
                gap |= another;
                at += another ? 2 : 1;
            }
        }
        return fits(groups, gap);
    }

    private static boolean fits(int groups, boolean gap) {
        return gap ? groups < IPV6_GROUPS : groups == IPV6_GROUPS;
    }

    private static boolean isIpv4(String text, int from, int to) {
        int octets = 0;
        int at = from;
        while (at < to) {
            int value = 0;
            int digits = at;
            while (digits < to && digits - at < 3 && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
                value = 10 * value + text.charAt(digits) - '0';
                digits++;
            }
            octets++;
            boolean last = digits == to;
            if (digits == at || value > 255 || !last && (text.charAt(digits) != '.' || digits + 1 == to)) {
                return false;
            }
            at = digits + 1;
        }
        return octets == 4;
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

    private static boolean isHex(char c) {
        return c < 0x80 && Character.digit(c, 16) >= 0;
    }

    private static boolean isLetterOrDigit(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
