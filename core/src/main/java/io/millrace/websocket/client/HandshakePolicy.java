package io.millrace.websocket.client;

import java.net.ProxySelector;
import org.jspecify.annotations.Nullable;

/**
 * How a client handles responses other than 101, and through which proxies it connects. Immutable.
 *
 * @param maxRedirects the maximum number of redirects; 0 to follow none. Redirects from {@code wss:} to {@code ws:} are
 *     never followed; the fields Authorization, Cookie and Proxy-Authorization, and the credentials, are only sent to the
 *     server of the original URI
 * @param credentials for that server's challenge (401), sent once; null for none
 * @param proxies selects the HTTP proxies for a URI, which is passed to it with the scheme of HTTP, with or
 *     without TLS. They are tried in order, at most eight, until a connection succeeds; those not of type HTTP are skipped, and
 *     without any the connection is direct. Null for direct connections. Called on a worker, also to report proxies to which
 *     no connection is possible
 * @param proxyCredentials for a proxy's challenge (407), sent once; null for none
 * @param http2 when HTTP/2 is used, where it is installed
 */
public record HandshakePolicy(
        int maxRedirects,
        @Nullable Credentials credentials,
        @Nullable ProxySelector proxies,
        @Nullable Credentials proxyCredentials,
        Http2Use http2) {

    /** When a client uses HTTP/2 (RFC 8441). */
    public enum Http2Use {
        /** Never. */
        OFF,
        /**
         * Over TLS, if the server selects it by ALPN. A server that then has no tunnels on its connections is asked again in
         * HTTP/1.1, on another connection; further requests to it begin with that.
         */
        NEGOTIATED,
        /** Always, with and without TLS: the server is known to support it. */
        PRIOR_KNOWLEDGE
    }

    /** Connects directly, follows no redirects, and has no credentials; HTTP/2 is negotiated. */
    public static final HandshakePolicy STRICT = new HandshakePolicy(0, null, null, null, Http2Use.NEGOTIATED);

    /** Validates the number of redirects. */
    public HandshakePolicy {
        if (maxRedirects < 0) {
            throw new IllegalArgumentException("maxRedirects is " + maxRedirects + "; expected 0 or more");
        }
    }

    /** The same policy with another number of redirects. */
    public HandshakePolicy withMaxRedirects(int most) {
        return new HandshakePolicy(most, credentials, proxies, proxyCredentials, http2);
    }

    /** The same policy with credentials for the server. */
    public HandshakePolicy withCredentials(@Nullable Credentials value) {
        return new HandshakePolicy(maxRedirects, value, proxies, proxyCredentials, http2);
    }

    /**
     * The same policy with proxies.
     *
     * @param value credentials for the proxies; null for none
     */
    public HandshakePolicy withProxies(@Nullable ProxySelector selector, @Nullable Credentials value) {
        return new HandshakePolicy(maxRedirects, credentials, selector, value, http2);
    }

    /** The same policy with another use of HTTP/2. */
    public HandshakePolicy withHttp2(Http2Use value) {
        return new HandshakePolicy(maxRedirects, credentials, proxies, proxyCredentials, value);
    }
}
