package io.millrace.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Parses IP address literals without ever resolving names. Strict where lenience is exploited: {@code 010.1.1.1}, {@code
 * 10.1} and IPv6 scopes are rejected.
 */
public final class IpLiteral {

    private static final int OCTETS = 4;
    private static final int MAX_DIGITS = 3;
    private static final int MAX_IPV6_LENGTH = 45;

    private IpLiteral() {}

    /** The address, IPv6 without brackets; null if the text is not an address. */
    public static @Nullable InetAddress parse(String text) {
        return text.indexOf(':') < 0 ? parseIpv4(text) : parseIpv6(text);
    }

    /** An address without the scope that follows {@code %} in one that is local to a link: the interface has no meaning elsewhere. */
    public static String withoutScope(String address) {
        int scope = address.indexOf('%');
        return scope < 0 ? address : address.substring(0, scope);
    }

    /** An IPv4 address: four decimal numbers up to 255, without leading zeros; null if malformed. */
    public static @Nullable InetAddress parseIpv4(String text) {
        byte[] address = new byte[OCTETS];
        int at = 0;
        for (int octet = 0; octet < OCTETS; octet++) {
            int end = octet == OCTETS - 1 ? text.length() : text.indexOf('.', at);
            int value = end < 0 ? -1 : decimal(text, at, end, MAX_DIGITS, 255);
            if (value < 0) {
                return null;
            }
            address[octet] = (byte) value;
            at = end + 1;
        }
        return of(address);
    }

    /**
     * An IPv6 address (RFC 4291, 2.2); null if malformed. An IPv4-mapped address ({@code ::ffff:10.0.0.1}) is returned
     * as an IPv4 address.
     */
    public static @Nullable InetAddress parseIpv6(String text) {
        boolean possible = text.length() <= MAX_IPV6_LENGTH
                && text.indexOf(':') >= 0
                && text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 0x80 || c == ':' || c == '.');
        try {
            return possible ? InetAddress.getByName('[' + text + ']') : null; // in brackets, so never looked up
        } catch (UnknownHostException notOne) {
            return null;
        }
    }

    /** The canonical text (RFC 5952): IPv6 in lower case, with the first longest run of zero groups compressed. */
    public static String format(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == OCTETS) {
            return address.getHostAddress();
        }
        int[] groups = new int[bytes.length / 2];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | bytes[2 * i + 1] & 0xff;
        }
        int[] run = longestRun(groups);
        StringBuilder text = new StringBuilder(MAX_IPV6_LENGTH);
        for (int i = 0; i < groups.length; i++) {
            if (run[1] > 1 && i == run[0]) {
                text.append("::");
                i += run[1] - 1;
            } else {
                boolean follows = text.length() > 0 && text.charAt(text.length() - 1) != ':';
                text.append(follows ? ":" : "").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    /** The index and the length of the longest run of zero groups. */
    private static int[] longestRun(int[] groups) {
        int[] longest = {0, 0};
        int length = 0;
        for (int i = 0; i < groups.length; i++) {
            length = groups[i] == 0 ? length + 1 : 0;
            if (length > longest[1]) {
                longest[0] = i - length + 1;
                longest[1] = length;
            }
        }
        return longest;
    }

    /** A decimal number from 0 to 65535 without leading zeros; -1 if malformed. */
    public static int parsePort(String text) {
        return decimal(text, 0, text.length(), 5, 65_535);
    }

    private static int decimal(String text, int from, int to, int maxDigits, int max) {
        if (to <= from || to - from > maxDigits || text.charAt(from) == '0' && to - from > 1) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value <= max ? value : -1;
    }

    private static @Nullable InetAddress of(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException wrongLength) {
            return null;
        }
    }
}
