package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.HttpDates;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestedHost;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The part of the Servlet API's request that no dispatch and no session changes: its head and connection. Confined to the
 * exchange's owner.
 */
abstract class RequestHeadView implements HttpServletRequest {

    private final HttpExchange exchange;
    private final Settings connector;

    RequestHeadView(HttpExchange exchange, Settings connector) {
        this.exchange = exchange;
        this.connector = connector;
    }

    // For the container.

    /** The settings of the connector that received it. */
    public final Settings connector() {
        return connector;
    }

    public final HttpExchange exchange() {
        return exchange;
    }

    /** Not a field, as the head may be replaced: by a saved request, or for an error or login page. */
    private RequestHead head() {
        return exchange.request();
    }

    /** Scheme, host and path as the client sent them. */
    final String originalUrl() {
        return url(head().path().raw());
    }

    final String url(String path) {
        return authority().url(getScheme(), path);
    }

    private RequestedHost authority() {
        return RequestedHost.of(
                head().authority(), head().scheme(), exchange.channel().info().local());
    }

    // The request line.

    @Override
    public final String getMethod() {
        return head().method();
    }

    @Override
    public final String getProtocol() {
        return head().version().toString();
    }

    @Override
    public final String getScheme() {
        return head().scheme();
    }

    @Override
    public final boolean isSecure() {
        return exchange.channel().info().isSecure() || head().scheme().equals("https");
    }

    @Override
    public final String getServerName() {
        return authority().host();
    }

    @Override
    public final int getServerPort() {
        return authority().port();
    }

    // Addresses. Clients' names are resolved only if the connector enables it: a request must not wait for a name
    // server.

    @Override
    public final String getRemoteAddr() {
        return RequestedHost.host(exchange.channel().info().remote());
    }

    @Override
    public final String getRemoteHost() {
        SocketAddress client = exchange.channel().info().remote();
        return connector.get(ServletOptions.ENABLE_LOOKUPS) ? named(client) : RequestedHost.host(client);
    }

    @Override
    public final int getRemotePort() {
        return RequestedHost.port(exchange.channel().info().remote());
    }

    @Override
    public final String getLocalAddr() {
        return RequestedHost.host(exchange.channel().info().local());
    }

    @Override
    public final String getLocalName() {
        return localName(exchange.channel().info().local());
    }

    @Override
    public final int getLocalPort() {
        return RequestedHost.port(exchange.channel().info().local());
    }

    /** The host name, or the address if it has none; blocks on the name service. */
    private static String named(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getCanonicalHostName()
                : RequestedHost.host(address);
    }

    /** The name reported by a front end, else that of the name service; see {@link LocalNames}. */
    private static String localName(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return "";
        }
        InetAddress ip = inet.getAddress();
        boolean named = ip == null || !inet.getHostString().equals(ip.getHostAddress());
        return named ? inet.getHostString() : LocalNames.SHARED.of(ip);
    }

    // Header fields.

    @Override
    public final @Nullable String getHeader(String name) {
        return head().headers().get(name);
    }

    @Override
    public final Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(head().headers().all(name));
    }

    @Override
    public final Enumeration<String> getHeaderNames() {
        return Collections.enumeration(head().headers().names());
    }

    @Override
    public final int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value.trim());
    }

    @Override
    public final long getDateHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : HttpDates.parseInAnyZone(value);
    }

    @Override
    public final Locale getLocale() {
        return AcceptLanguage.parse(getHeader("Accept-Language")).get(0);
    }

    @Override
    public final Enumeration<Locale> getLocales() {
        return Collections.enumeration(AcceptLanguage.parse(getHeader("Accept-Language")));
    }

    @Override
    public final @Nullable String getContentType() {
        return getHeader("Content-Type");
    }

    @Override
    public final int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public final long getContentLengthLong() {
        return head().contentLength() > 0 || head().headers().contains("Content-Length") ? head().contentLength() : -1;
    }
}
