package io.millrace.servlet.filter;

import static io.millrace.forwarded.RemoteIp.INTERNAL_PROXIES;
import static io.millrace.forwarded.RemoteIp.REQUEST_ATTRIBUTES_ENABLED;

import io.millrace.forwarded.RelayedRequest;
import io.millrace.forwarded.RemoteIp;
import io.millrace.forwarded.Trust;
import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.http.RequestedHost;
import io.millrace.io.ConnectionInfo;
import io.millrace.net.IpLiteral;
import io.millrace.servlet.request.HttpServletResponseImpl;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Sets the client's address, scheme, host and port as reported by trusted front ends, with the init-params of Tomcat's
 * {@code RemoteIpFilter} and the rules of {@link RemoteIp}, as RemoteIpValve. Relative redirects use the client's scheme and
 * host. Address valves and security constraints run before filters and are not affected, and an access log only by
 * {@code requestAttributesEnabled}: if those matter, use the valve.
 */
public final class RemoteIpFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final String FORWARDED = "org.apache.tomcat.request.forwarded";
    private static final String OLD_NAME = "allowedInternalProxies";
    private static final String LOG = "org.apache.catalina.AccessLog.";

    /** Trusts no front end until it is initialized. */
    private transient RemoteIp rules = RemoteIp.DEFAULT.with(INTERNAL_PROXIES, Trust.nobody());

    private boolean resolvesNames;
    private boolean setsAttributes;

    @Override
    public void init() throws ServletException {
        Stream<String> declared = RemoteIp.all().stream().map(Setting::name);
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                Stream.concat(declared, Stream.of(OLD_NAME, "enableLookups")).toArray(String[]::new));
        Settings settings = parameters.settings(RemoteIp.all());
        Pattern old = parameters.pattern(OLD_NAME);
        if (old != null && !settings.isSet(INTERNAL_PROXIES)) {
            settings = settings.with(INTERNAL_PROXIES, Trust.matching(old));
        }
        rules = RemoteIp.DEFAULT.with(settings);
        setsAttributes = settings.get(REQUEST_ATTRIBUTES_ENABLED);
        resolvesNames = parameters.flag("enableLookups", false);
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ArrivedConnection connection = ArrivedConnection.of(request);
        RelayedRequest before = connection == null ? null : rules.before(connection.head(), connection);
        if (before == null) {
            chain.doFilter(request, response);
            return;
        }
        RelayedServletRequest relayed = new RelayedServletRequest(request, before, resolvesNames);
        request.setAttribute(FORWARDED, true);
        if (setsAttributes) {
            request.setAttribute(LOG + "RemoteAddr", relayed.getRemoteAddr());
            request.setAttribute("org.apache.tomcat.remoteAddr", relayed.getRemoteAddr());
            request.setAttribute(LOG + "RemoteHost", relayed.getRemoteHost());
            request.setAttribute(LOG + "Protocol", relayed.getProtocol());
            request.setAttribute(LOG + "ServerName", relayed.getServerName());
            request.setAttribute(LOG + "ServerPort", relayed.getServerPort());
        }
        HttpServletResponseImpl.of(response).origin(relayed.origin());
        chain.doFilter(relayed, response);
    }

    /** The connection of a request as seen by a filter, for the rules about front ends. */
    private record ArrivedConnection(RequestHead head, SocketAddress local, SocketAddress remote, boolean isSecure)
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

    /** A request as the client sent it to the front end. */
    private static final class RelayedServletRequest extends HttpServletRequestWrapper {

        private final Headers headers;
        private final InetSocketAddress remote;
        private final String scheme;
        private final RequestedHost requested;
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
            this.requested = RequestedHost.of(before.head(), before.connection().local());
        }

        private static @Nullable InetSocketAddress inet(SocketAddress address) {
            return address instanceof InetSocketAddress inet ? inet : null;
        }

        /** Scheme, host and port of the client's URL. */
        String origin() {
            return requested.url(scheme, "");
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
            return requested.host();
        }

        @Override
        public int getServerPort() {
            return requested.port();
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
}
