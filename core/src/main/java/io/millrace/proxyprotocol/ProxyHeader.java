package io.millrace.proxyprotocol;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a header says.
 *
 * @param source the client's address; null with {@code destination} if the header names none
 * @param destination the address the client connected to
 * @param frontEnd null if the front end speaks for itself: a health check
 */
record ProxyHeader(
        @Nullable SocketAddress source,
        @Nullable SocketAddress destination,
        @Nullable FrontEnd frontEnd) {

    /** The front end speaks for itself. */
    static final ProxyHeader LOCAL = new ProxyHeader(null, null, null);

    /** It relays a client whose address it does not know. */
    static final ProxyHeader UNKNOWN = new ProxyHeader(null, null, FrontEnd.SILENT);

    /** What is known of a connection that began with this header. */
    ConnectionInfo over(ConnectionInfo below) {
        if (frontEnd == null) {
            return below;
        }
        return new ProxiedInfo(
                below.direct(),
                destination == null ? below.local() : destination,
                source == null ? below.remote() : source,
                frontEnd);
    }

    private record ProxiedInfo(ConnectionInfo direct, SocketAddress local, SocketAddress remote, FrontEnd frontEnd)
            implements ConnectionInfo {
        @Override
        public boolean isSecure() {
            return frontEnd.secure();
        }
    }
}
