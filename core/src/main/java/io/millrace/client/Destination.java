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
 * @param single whether each connection is used for one request only, and begins with the {@link
 *     SessionPool.Waiter#preface preface} of that request
 */
public record Destination(SocketAddress address, @Nullable TlsClientEngines tls, boolean single) {

    /** TLS requires a host name to verify. */
    public Destination {
        if (tls != null && !(address instanceof InetSocketAddress)) {
            throw new IllegalArgumentException("TLS requires an address with a host and a port; found " + address);
        }
    }

    /** Destination of connections that are shared by requests. */
    public Destination(SocketAddress address, @Nullable TlsClientEngines tls) {
        this(address, tls, false);
    }

    @Override
    public String toString() {
        return address instanceof InetSocketAddress inet
                ? inet.getHostString() + ":" + inet.getPort()
                : address.toString();
    }
}
