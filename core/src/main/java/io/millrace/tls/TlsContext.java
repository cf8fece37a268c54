package io.millrace.tls;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Makes the engines of one host, from its files as they were at one moment. Has sessions of its own. Any thread. */
public interface TlsContext extends AutoCloseable {

    /**
     * An engine for a new connection.
     *
     * @param serverName what the client asked for, lower case; null if it named no host
     * @param remote the peer
     * @throws java.nio.channels.ClosedChannelException once closed
     */
    TlsEngine engine(@Nullable String serverName, SocketAddress remote) throws IOException;

    /** Makes no more engines. Those there are go on, and what they share goes with the last one's release. */
    @Override
    void close();
}
