package io.millrace.client;

import io.millrace.tls.TlsClientEngines;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is.
 *
 * @param address of its socket; a host name may be unresolved, and is resolved for each connection
 * @param tls makes the engines of its connections, for the address's host name; null for plain connections
 * @param single is each connection for one request, and begins with {@link SessionPool.Waiter#preface octets} of that?
 */
public record Destination(SocketAddress address, @Nullable TlsClientEngines tls, boolean single) {

    /** TLS needs a host to verify. */
    public Destination {
        if (tls != null && !(address instanceof InetSocketAddress)) {
            throw new IllegalArgumentException("TLS needs a host and a port; found " + address);
        }
    }

    /** Of connections that any request may use. */
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
