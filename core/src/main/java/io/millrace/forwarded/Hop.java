package io.millrace.forwarded;

import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address on the path of a request: that of the client or of a front end.
 *
 * @param text as received; for the direct peer its address
 * @param address with port 0 if none was given
 */
public record Hop(String text, SocketAddress address) {

    /** The direct peer. */
    static Hop peer(SocketAddress address) {
        boolean inet = address instanceof InetSocketAddress;
        InetAddress host = inet ? ((InetSocketAddress) address).getAddress() : null;
        return new Hop(host == null ? address.toString() : host.getHostAddress(), address);
    }

    /**
     * Parses {@code 192.0.2.7}, {@code 192.0.2.7:4711}, {@code 2001:db8::7} or {@code [2001:db8::7]:4711}; null if
     * malformed.
     */
    static @Nullable Hop parse(String text) {
        int end = endOfHost(text);
        if (end < 0) {
            return null;
        }
        boolean bracketed = text.startsWith("[");
        InetAddress host =
                bracketed ? IpLiteral.parseIpv6(text.substring(1, end - 1)) : IpLiteral.parse(text.substring(0, end));
        int port = end == text.length() ? 0 : IpLiteral.parsePort(text.substring(end + 1));
        return host == null || port < 0 ? null : new Hop(text, new InetSocketAddress(host, port));
    }

    /** The index of the colon before the port, or the end; -1 if malformed. */
    private static int endOfHost(String text) {
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']') + 1;
            return bracket > 1 && (bracket == text.length() || text.charAt(bracket) == ':') ? bracket : -1;
        }
        int colon = text.indexOf(':');
        return colon < 0 || text.indexOf(':', colon + 1) >= 0 ? text.length() : colon;
    }
}
