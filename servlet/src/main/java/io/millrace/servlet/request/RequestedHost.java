package io.millrace.servlet.request;

import io.millrace.io.ConnectionInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The host and port that a request was sent to.
 *
 * @param host an IPv6 address in brackets
 */
record RequestedHost(String host, int port) {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** The host of the request's authority; without one, the local address. */
    static RequestedHost of(@Nullable String authority, String scheme, ConnectionInfo connection) {
        if (authority == null || authority.isEmpty()) {
            return new RequestedHost(Addresses.host(connection.local()), Addresses.port(connection.local()));
        }
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', bracket + 1);
        if (colon < 0) {
            return new RequestedHost(authority, defaultPort(scheme));
        }
        return new RequestedHost(authority.substring(0, colon), port(authority.substring(colon + 1), scheme));
    }

    private static int port(String digits, String scheme) {
        try {
            return digits.isEmpty() ? defaultPort(scheme) : Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return defaultPort(scheme);
        }
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("https") ? HTTPS : HTTP;
    }

    /** Appends {@code http://host}, with the port if it is not the scheme's default. */
    void appendTo(StringBuilder url, String scheme) {
        url.append(scheme).append("://").append(host);
        if (port != defaultPort(scheme)) {
            url.append(':').append(port);
        }
    }

    /** Socket addresses in the form of the Servlet API. */
    static final class Addresses {

        private Addresses() {}

        static String host(SocketAddress address) {
            if (!(address instanceof InetSocketAddress inet)) {
                return "127.0.0.1"; // a Unix domain socket, whose peer is local
            }
            return inet.getAddress() == null
                    ? inet.getHostString()
                    : inet.getAddress().getHostAddress();
        }

        /** The host name, or the address if it has none; blocks on the name service. */
        static String lookUp(SocketAddress address) {
            return address instanceof InetSocketAddress inet && inet.getAddress() != null
                    ? inet.getAddress().getCanonicalHostName()
                    : host(address);
        }

        /** The name reported by a front end, else that of the name service; see {@link LocalNames}. */
        static String localName(SocketAddress address) {
            if (!(address instanceof InetSocketAddress inet)) {
                return "";
            }
            InetAddress ip = inet.getAddress();
            boolean named = ip == null || !inet.getHostString().equals(ip.getHostAddress());
            return named ? inet.getHostString() : LocalNames.SHARED.of(ip);
        }

        static int port(SocketAddress address) {
            return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
        }
    }
}
