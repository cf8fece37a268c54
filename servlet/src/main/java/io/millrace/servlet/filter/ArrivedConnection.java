package io.millrace.servlet.filter;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.ConnectionInfo;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The connection of a request as seen by a filter, for the rules about front ends. */
record ArrivedConnection(RequestHead head, SocketAddress local, SocketAddress remote, boolean isSecure)
        implements ConnectionInfo {

    /** The connection; null if an end has no IP address, as with Unix domain sockets. */
    static @Nullable ArrivedConnection of(HttpServletRequest request) {
        InetSocketAddress local = address(request.getLocalAddr(), request.getLocalPort());
        InetSocketAddress remote = address(request.getRemoteAddr(), request.getRemotePort());
        return local == null || remote == null
                ? null
                : new ArrivedConnection(head(request), local, remote, request.isSecure());
    }

    private static @Nullable InetSocketAddress address(@Nullable String text, int port) {
        InetAddress address = text == null ? null : IpLiteral.parse(text);
        return address == null ? null : new InetSocketAddress(address, Math.max(0, port));
    }

    private static RequestHead head(HttpServletRequest request) {
        Headers headers = new Headers();
        for (String name : Collections.list(request.getHeaderNames())) {
            Collections.list(request.getHeaders(name)).forEach(value -> headers.add(name, value));
        }
        return new RequestHead(
                request.getMethod(),
                request.getRequestURI(),
                RequestPath.NONE,
                null,
                HttpVersion.HTTP_1_1,
                request.getScheme(),
                request.getServerName() + ':' + request.getServerPort(),
                headers,
                0);
    }
}
