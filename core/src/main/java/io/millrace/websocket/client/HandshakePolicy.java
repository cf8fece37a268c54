package io.millrace.websocket.client;

import java.net.ProxySelector;
import org.jspecify.annotations.Nullable;

/**
 * What a client does about a response that is not 101, and by which proxies it connects. Unchangeable.
 *
 * @param maxRedirects how many redirects a connection may follow, 0 for none. None leads from {@code wss:} to {@code ws:}; the fields
 *     Authorization, Cookie and Proxy-Authorization and the credentials stay with the server of the request's own URI
 * @param credentials answer that server's challenge (401), once; null for none
 * @param proxies names the HTTP proxies for a URI, whose scheme is {@code http} or {@code https} for it. They are tried in order, eight at most,
 *     until one can be reached; one that is not of type HTTP is passed over, and where there is none the connection is direct. Null for direct
 *     connections. Called on a worker, which also tells it of those that could not be reached
 * @param proxyCredentials answer a proxy's challenge (407), once; null for none
 */
public record HandshakePolicy(
        int maxRedirects,
        @Nullable Credentials credentials,
        @Nullable ProxySelector proxies,
        @Nullable Credentials proxyCredentials) {

    /** Connects directly, follows no redirect, answers no challenge. */
    public static final HandshakePolicy STRICT = new HandshakePolicy(0, null, null, null);

    /** Checks the number. */
    public HandshakePolicy {
        if (maxRedirects < 0) {
            throw new IllegalArgumentException("maxRedirects is " + maxRedirects + "; expected 0 or more");
        }
    }

    /** The same with another number of redirects. */
    public HandshakePolicy withMaxRedirects(int most) {
        return new HandshakePolicy(most, credentials, proxies, proxyCredentials);
    }

    /** The same with a name and a password for the server. */
    public HandshakePolicy withCredentials(@Nullable Credentials mine) {
        return new HandshakePolicy(maxRedirects, mine, proxies, proxyCredentials);
    }

    /**
     * The same through proxies.
     *
     * @param mine for the proxies; null for none
     */
    public HandshakePolicy withProxies(@Nullable ProxySelector selector, @Nullable Credentials mine) {
        return new HandshakePolicy(maxRedirects, credentials, selector, mine);
    }
}
