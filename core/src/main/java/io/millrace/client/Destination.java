package io.millrace.client;

import io.millrace.tls.TlsClientEngines;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server, and how to connect to it.
 *
 * @param address the address of its socket; a host name may be unresolved, and is resolved for each connection
 * @param tls creates the TLS engines of its connections, for the address's host name; null for plain connections
 * @param proxy the proxy through which it is reached; null for none
 * @param single whether each connection is used for one request only, and begins with the {@link
 *     SessionPool.Waiter#preface preface} of that request
 */
public record Destination(
        SocketAddress address,
        @Nullable TlsClientEngines tls,
        @Nullable Via proxy,
        boolean single) {

    /**
     * A proxy.
     *
     * @param address the address of its socket
     * @param hop asks it for a tunnel to the server
     */
    public record Via(SocketAddress address, ProxyHop hop) {}

    /** TLS requires a host name to verify. */
    public Destination {
        if (tls != null && !(address instanceof InetSocketAddress)) {
            throw new IllegalArgumentException("TLS requires an address with a host and a port; found " + address);
        }
    }

    /** A destination that is reached directly. */
    public Destination(SocketAddress address, @Nullable TlsClientEngines tls, boolean single) {
        this(address, tls, null, single);
    }

    /** Destination of connections that are shared by requests. */
    public Destination(SocketAddress address, @Nullable TlsClientEngines tls) {
        this(address, tls, null, false);
    }

    @Override
    public String toString() {
        return address instanceof InetSocketAddress inet
                ? inet.getHostString() + ":" + inet.getPort()
                : address.toString();
    }
}
