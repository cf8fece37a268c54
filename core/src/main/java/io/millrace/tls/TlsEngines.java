package io.millrace.tls;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Creates the engines of one connector from its current certificates and settings; existing connections keep theirs.
 * Thread-safe; must not block.
 */
public interface TlsEngines {

    /**
     * Creates an engine for a new connection.
     *
     * @param serverName the host name that the client sent (SNI), in lower case; null if there was none
     * @param remote the peer, for session caching and log messages
     * @return null if the host is unknown and connections to unknown hosts are rejected
     * @throws IOException if the connector has stopped
     */
    @Nullable
    TlsEngine create(@Nullable String serverName, SocketAddress remote) throws IOException;
}
