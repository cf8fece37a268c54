package io.millrace.io.socket;

import io.millrace.io.ConnectionInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a plain socket.
 *
 * @param local ours
 * @param remote the peer's
 */
public record SocketInfo(SocketAddress local, SocketAddress remote) implements ConnectionInfo {

    /** Those of a Unix domain socket, which XNIO does not know; null of any other. */
    public static @Nullable SocketInfo ofUnix(SocketChannel socket) throws IOException {
        return socket.getLocalAddress() instanceof UnixDomainSocketAddress local
                ? new SocketInfo(local, socket.getRemoteAddress())
                : null;
    }
}
