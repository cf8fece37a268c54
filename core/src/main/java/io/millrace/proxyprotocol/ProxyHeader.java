package io.millrace.proxyprotocol;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A parsed header.
 *
 * @param source the client's address; null, like {@code destination}, if the header contains none
 * @param destination the address to which the client connected
 * @param frontEnd null for a connection of the front end itself, such as a health check
 */
record ProxyHeader(
        @Nullable SocketAddress source,
        @Nullable SocketAddress destination,
        @Nullable FrontEnd frontEnd) {

    /** A connection of the front end itself. */
    static final ProxyHeader LOCAL = new ProxyHeader(null, null, null);

    /** A connection for a client whose address the front end does not know. */
    static final ProxyHeader UNKNOWN = new ProxyHeader(null, null, FrontEnd.SILENT);

    /** The properties of a connection that began with this header. */
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
