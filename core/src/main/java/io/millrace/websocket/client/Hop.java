package io.millrace.websocket.client;

import io.millrace.http.Headers;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a handshake: where it goes, by which proxy, and what proves who asks.
 *
 * @param proof the value of Authorization that answers a challenge; null if there was none
 * @param proxy null for a direct connection
 * @param proxyProof the value of Proxy-Authorization, as proof
 */
record Hop(
        WebSocketRequest request,
        @Nullable String proof,
        @Nullable InetSocketAddress proxy,
        @Nullable String proxyProof) {

    /** By the proxy that is named for its URI. May block. */
    static Hop to(WebSocketRequest request, @Nullable ProxySelector proxies) {
        return new Hop(request, null, proxies == null ? null : proxy(request, proxies), null);
    }

    private static @Nullable InetSocketAddress proxy(WebSocketRequest request, ProxySelector proxies) {
        String uri = request.uri().toString();
        String ofHttp = (request.isSecure() ? "https" : "http") + uri.substring(uri.indexOf(':'));
        List<Proxy> named = proxies.select(URI.create(ofHttp));
        for (Proxy each : named == null ? List.<Proxy>of() : named) {
            if (each.type() == Proxy.Type.DIRECT) {
                return null;
            }
            SocketAddress address = each.address();
            if (each.type() == Proxy.Type.HTTP && address instanceof InetSocketAddress proxy) {
                return proxy;
            }
        }
        return null;
    }

    /** A proof for a proxy is not sent again: a server's nonce may be used up. The proxy asks once more if it has to. */
    Hop withProof(String value) {
        return new Hop(request, value, proxy, null);
    }

    Hop withProxyProof(String value) {
        return new Hop(request, proof, proxy, value);
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
