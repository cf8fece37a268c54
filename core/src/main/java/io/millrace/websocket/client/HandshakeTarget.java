package io.millrace.websocket.client;

import io.millrace.http.Headers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one connection attempt: the request, the proxy, and the credentials.
 *
 * @param authorization the value of Authorization that answers a challenge; null if there was none
 * @param proxy null for a direct connection
 * @param proxyAuthorization the value of Proxy-Authorization that answers a challenge; null if there was none
 * @param others the routes to try if the proxy is unreachable, in order: proxies, or {@link Proxy#NO_PROXY}
 */
record HandshakeTarget(
        WebSocketRequest request,
        @Nullable String authorization,
        @Nullable InetSocketAddress proxy,
        @Nullable String proxyAuthorization,
        List<Proxy> others) {

    /** A selector may return any number of proxies, and each may take long to fail. */
    private static final int MAX_ROUTES = 8;

    /** An attempt on a direct connection. */
    static HandshakeTarget to(WebSocketRequest request) {
        return by(request, List.of(Proxy.NO_PROXY));
    }

    /** An attempt through the first proxy selected for the request's URI. May block. */
    static HandshakeTarget to(WebSocketRequest request, ProxySelector proxies) {
        List<Proxy> selected = proxies.select(selectorUri(request));
        List<Proxy> usable = (selected == null ? List.<Proxy>of() : selected)
                .stream().filter(HandshakeTarget::isUsable).limit(MAX_ROUTES).toList();
        return by(request, usable.isEmpty() ? List.of(Proxy.NO_PROXY) : usable);
    }

    private static HandshakeTarget by(WebSocketRequest request, List<Proxy> routes) {
        InetSocketAddress first = routes.get(0).address() instanceof InetSocketAddress proxy ? proxy : null;
        return new HandshakeTarget(request, null, first, null, routes.subList(1, routes.size()));
    }

    private static boolean isUsable(Proxy each) {
        return each.type() == Proxy.Type.DIRECT
                || each.type() == Proxy.Type.HTTP && each.address() instanceof InetSocketAddress;
    }

    /** The URI passed to proxy selectors, which know the schemes of HTTP but not those of WebSocket. */
    private static URI selectorUri(WebSocketRequest request) {
        String uri = request.uri().toString();
        return URI.create((request.isSecure() ? "https" : "http") + uri.substring(uri.indexOf(':')));
    }

    /** Notifies the selector that its proxy is unreachable. May block. */
    void reportFailure(ProxySelector proxies, IOException why) {
        if (proxy != null) {
            proxies.connectFailed(selectorUri(request), proxy, why);
        }
    }

    /** The attempt through the next proxy; null if this was the last. */
    @Nullable
    HandshakeTarget next() {
        return others.isEmpty() ? null : by(request, others).withAuthorization(authorization);
    }

    /** Drops the proxy's authorization, because its nonce may be used up; the proxy sends another challenge if necessary. */
    HandshakeTarget withAuthorization(@Nullable String value) {
        return new HandshakeTarget(request, value, proxy, null, others);
    }

    HandshakeTarget withProxyAuthorization(String value) {
        return new HandshakeTarget(request, authorization, proxy, value, others);
    }

    /** For messages. */
    String proxyName() {
        return proxy == null ? "none" : proxy.getHostString() + ':' + proxy.getPort();
    }

    /** The target of CONNECT, always with a port (RFC 9112, 3.2.3). */
    String tunnelTarget() {
        return request.uri().getHost() + ':' + request.port();
    }

    Headers tunnelFields() {
        return with("Proxy-Authorization", proxyAuthorization, new Headers());
    }

    /** The request's fields, with Authorization. */
    Headers fields() {
        return with("Authorization", authorization, request.fields().copy());
    }

    private static Headers with(String name, @Nullable String value, Headers fields) {
        return value == null ? fields : fields.add(name, value);
    }
}
