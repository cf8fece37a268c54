package io.millrace.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * The host and port that a request was sent to.
 *
 * @param host an IPv6 address in brackets
 */
public record RequestedHost(String host, int port) {

    /**
     * The host of the request's authority; without one, the local address.
     *
     * @param local of the connection
     */
    public static RequestedHost of(RequestHead request, SocketAddress local) {
        String authority = request.authority();
        String host = Authority.hostOf(authority);
        if (authority == null || host == null) {
            String address = host(local);
            return new RequestedHost(address.indexOf(':') < 0 ? address : "[" + address + "]", port(local));
        }
        int port = host.length() + 1;
        return new RequestedHost(
                host, port(port < authority.length() ? authority.substring(port) : "", request.scheme()));
    }

    /** The host in the form in which names are compared: in lower case, without the dot of the root. */
    public String name() {
        return Authority.toName(host);
    }

    private static int port(String digits, String scheme) {
        try {
            return digits.isEmpty() ? defaultPort(scheme) : Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return defaultPort(scheme);
        }
    }

    private static int defaultPort(String scheme) {
        return Authority.defaultPort(scheme.equals("https"));
    }

    /** The text of an address, without a port, a look-up or brackets; 127.0.0.1 for that of a Unix domain socket, whose peer is local. */
    public static String host(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return "127.0.0.1";
        }
        return inet.getAddress() == null
                ? inet.getHostString()
                : inet.getAddress().getHostAddress();
    }

    /** The port of an address; 0 for that of a Unix domain socket. */
    public static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    /**
     * An absolute URL, with the port if it is not the scheme's default.
     *
     * @param path escaped, begins with a slash
     */
    public String url(String scheme, String path) {
        StringBuilder url = new StringBuilder(64);
        url.append(scheme).append("://").append(host);
        if (port != defaultPort(scheme)) {
            url.append(':').append(port);
        }
        return url.append(path).toString();
    }
}
