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
 * One attempt at a handshake: where it goes, by which proxy, and what proves who asks.
 *
 * @param proof the value of Authorization that answers a challenge; null if there was none
 * @param proxy null for a direct connection
 * @param proxyProof the value of Proxy-Authorization, as proof
 * @param others what to try when the proxy can't be reached, in order: proxies, or {@link Proxy#NO_PROXY}
 */
record Hop(
        WebSocketRequest request,
        @Nullable String proof,
        @Nullable InetSocketAddress proxy,
        @Nullable String proxyProof,
        List<Proxy> others) {

    /** A selector may name any number, and each may take its time to fail. */
    private static final int MOST_ROUTES = 8;

    /** Directly. */
    static Hop to(WebSocketRequest request) {
        return by(request, List.of(Proxy.NO_PROXY));
    }

    /** By the first proxy that is named for its URI. May block. */
    static Hop to(WebSocketRequest request, ProxySelector proxies) {
        List<Proxy> named = proxies.select(selected(request));
        List<Proxy> usable = (named == null ? List.<Proxy>of() : named)
                .stream().filter(Hop::isUsable).limit(MOST_ROUTES).toList();
        return by(request, usable.isEmpty() ? List.of(Proxy.NO_PROXY) : usable);
    }

    private static Hop by(WebSocketRequest request, List<Proxy> routes) {
        InetSocketAddress first = routes.get(0).address() instanceof InetSocketAddress proxy ? proxy : null;
        return new Hop(request, null, first, null, routes.subList(1, routes.size()));
    }

    private static boolean isUsable(Proxy each) {
        return each.type() == Proxy.Type.DIRECT
                || each.type() == Proxy.Type.HTTP && each.address() instanceof InetSocketAddress;
    }

    /** The request's URI as selectors of proxies know it: those for sockets of the web are those of HTTP. */
    private static URI selected(WebSocketRequest request) {
        String uri = request.uri().toString();
        return URI.create((request.isSecure() ? "https" : "http") + uri.substring(uri.indexOf(':')));
    }

    /** Tells the selector that its proxy could not be used. May block. */
    void complain(ProxySelector proxies, IOException why) {
        if (proxy != null) {
            proxies.connectFailed(selected(request), proxy, why);
        }
    }

    /** By the next one; null if this was the last. */
    @Nullable
    Hop next() {
        return others.isEmpty() ? null : by(request, others).withProof(proof);
    }

    /** A proof for a proxy is not sent again: a server's nonce may be used up. The proxy asks once more if it has to. */
    Hop withProof(@Nullable String value) {
        return new Hop(request, value, proxy, null, others);
    }

    Hop withProxyProof(String value) {
        return new Hop(request, proof, proxy, value, others);
    }

    /** Where the connection goes. */
    InetSocketAddress peer() {
        return proxy == null ? InetSocketAddress.createUnresolved(request.host(), request.port()) : proxy;
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
        return with("Proxy-Authorization", proxyProof, new Headers());
    }

    /** Of the request, with the proof among them. */
    Headers fields() {
        return with("Authorization", proof, request.fields().copy());
    }

    private static Headers with(String name, @Nullable String value, Headers fields) {
        return value == null ? fields : fields.add(name, value);
    }
}
