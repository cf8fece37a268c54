package io.millrace.tls;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Creates the engines of one host, from its files as read at one time. Has a session cache of its own. Thread-safe. */
public interface TlsContext extends AutoCloseable {

    /**
     * Creates an engine for a new connection.
     *
     * @param serverName the name that the client sent (SNI), in lower case; null if there was none
     * @param remote the peer
     * @throws java.nio.channels.ClosedChannelException after {@link #close}
     */
    TlsEngine engine(@Nullable String serverName, SocketAddress remote) throws IOException;

    /** Creates no further engines. Existing ones are not affected; shared resources are released with the last one. */
    @Override
    void close();
}
