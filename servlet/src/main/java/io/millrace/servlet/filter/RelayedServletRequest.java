package io.millrace.servlet.filter;

import io.millrace.forwarded.RelayedRequest;
import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/** A request as the client sent it to the front end. */
final class RelayedServletRequest extends HttpServletRequestWrapper {

    private final Headers headers;
    private final InetSocketAddress remote;
    private final String scheme;
    private final String host;
    private final int port;
    private final boolean secure;
    private final @Nullable InetSocketAddress local;
    private final boolean resolvesNames;

    /** @param resolvesNames true if the client's host name is resolved */
    RelayedServletRequest(HttpServletRequest request, RelayedRequest before, boolean resolvesNames) {
        super(request);
        this.headers = before.head().headers();
        this.remote = (InetSocketAddress) before.connection().remote();
        this.local = inet(before.connection().local());
        this.scheme = before.head().scheme();
        this.secure = before.connection().isSecure();
        this.resolvesNames = resolvesNames;
        String authority = String.valueOf(before.head().authority());
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        this.host = hasPort ? authority.substring(0, colon) : authority;
        int usual = scheme.equals("https") ? 443 : 80;
        this.port = hasPort ? Math.max(0, IpLiteral.parsePort(authority.substring(colon + 1))) : usual;
    }

    private static @Nullable InetSocketAddress inet(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet : null;
    }

    /** Scheme, host and port of the client's URL. */
    String origin() {
        boolean usual = port == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + host + (usual ? "" : ":" + port);
    }

    @Override
    public String getRemoteAddr() {
        return remote.getAddress().getHostAddress();
    }

    @Override
    public String getRemoteHost() {
        return resolvesNames ? remote.getAddress().getHostName() : getRemoteAddr();
    }

    @Override
    public int getRemotePort() {
        return remote.getPort();
    }

    @Override
    public String getLocalName() {
        InetAddress address = local == null ? null : local.getAddress();
        String name = local == null ? "" : local.getHostString();
        return address == null || name.equals(address.getHostAddress()) ? super.getLocalName() : name;
    }

    @Override
    public int getLocalPort() {
        return local == null ? super.getLocalPort() : local.getPort();
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public boolean isSecure() {
        return secure;
    }

    @Override
    public String getServerName() {
        return host;
    }

    @Override
    public int getServerPort() {
        return port;
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(origin()).append(getRequestURI());
    }

    // Header fields, without those that the rules have removed.

    @Override
    public @Nullable String getHeader(String name) {
        return headers.get(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(headers.all(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(headers.names());
    }

    @Override
    public int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value.strip());
    }

    @Override
    public long getDateHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : HttpDates.parse(value);
    }
}
