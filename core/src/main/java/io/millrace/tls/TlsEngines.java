package io.millrace.tls;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Makes the engines of one connector, from its certificates and settings as they are now: connections under way keep the
 * ones they began with. Any thread; must not block.
 */
public interface TlsEngines {

    /**
     * An engine for a new connection.
     *
     * @param serverName the host name the client asked for (SNI), lower case; null if it named none
     * @param remote the peer, for session caching and log lines
     * @return null if that host is not served here and connections to unknown hosts are refused
     * @throws IOException if there are no more engines, because the connector has stopped
     */
    @Nullable
    TlsEngine create(@Nullable String serverName, SocketAddress remote) throws IOException;
}
