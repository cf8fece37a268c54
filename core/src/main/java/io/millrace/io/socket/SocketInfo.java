package io.millrace.io.socket;

import io.millrace.io.ConnectionInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a plain socket.
 *
 * @param local the local address
 * @param remote the peer's address
 * @param channel knows the user of the peer, if it is a Unix domain socket; null if it is none
 */
public record SocketInfo(
        SocketAddress local, SocketAddress remote, @Nullable SocketChannel channel) implements ConnectionInfo {

    /** Two addresses. */
    public SocketInfo(SocketAddress local, SocketAddress remote) {
        this(local, remote, null);
    }

    /** The ends of a connected channel. */
    public static SocketInfo of(SocketChannel channel) throws IOException {
        return new SocketInfo(channel.getLocalAddress(), channel.getRemoteAddress(), channel);
    }

    /** By SO_PEERCRED. Null also if the connection is closed, or this system, or this Java without its module jdk.net, cannot tell. */
    @Override
    public @Nullable String peerUser() {
        try {
            return channel == null
                    ? null
                    : channel.getOption(ExtendedSocketOptions.SO_PEERCRED)
                            .user()
                            .getName();
        } catch (IOException | UnsupportedOperationException | LinkageError e) {
            return null;
        }
    }
}
