package io.millrace.forwarded;

import io.millrace.http.Authority;
import io.millrace.net.IpLiteral;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The host and port that a request was sent to.
 *
 * @param host an IPv6 address in brackets
 * @param port -1 for the scheme's default
 */
record ServerName(String host, int port) {

    /** The host and port of the request; those of the connection if it has none. */
    static ServerName of(@Nullable String authority, SocketAddress local) {
        String host = Authority.hostOf(authority);
        if (authority == null || host == null) {
            return of(local);
        }
        boolean withPort = authority.length() > host.length();
        return new ServerName(host, withPort ? IpLiteral.parsePort(authority.substring(host.length() + 1)) : -1);
    }

    /** The host in a field, without the port; null if it is invalid. */
    static @Nullable String hostIn(@Nullable String field) {
        boolean valid = field != null && field.indexOf(',') < 0 && Authority.isValid(field);
        return valid ? Authority.hostOf(field) : null;
    }

    ServerName withHost(String other) {
        return new ServerName(other, port);
    }

    ServerName withPort(int other) {
        return new ServerName(host, other);
    }

    /** The authority of a request with this scheme. */
    String authority(String scheme) {
        return port < 0 || port == (scheme.equals("https") ? 443 : 80) ? host : host + ":" + port;
    }

    private static ServerName of(SocketAddress local) {
        if (!(local instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return new ServerName("localhost", -1);
        }
        InetAddress address = inet.getAddress();
        String text = address.getHostAddress();
        return new ServerName(address instanceof Inet6Address ? "[" + text + "]" : text, inet.getPort());
    }
}
