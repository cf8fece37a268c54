package io.millrace.io.socket;

import io.millrace.io.InheritedAddress;
import io.millrace.io.InheritedSockets;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;

/** Creates listening sockets. */
public final class ListeningSocket {

    private ListeningSocket() {}

    /**
     * Listens on a TCP port, or an inherited one that has a name.
     *
     * @throws BindException if the address cannot be bound; the message names it
     * @throws UnsupportedAddressTypeException if it is another kind of address
     */
    public static ServerSocketChannel onPort(SocketAddress wanted, TransportOptions options) throws IOException {
        if (wanted instanceof InheritedAddress inherited && inherited.name() != null) {
            return InheritedSockets.OF_PROCESS.open(inherited, true);
        }
        return bound(ServerSocketChannel.open(), wanted, options);
    }

    /** Listens on a TCP port, a Unix domain socket, or an inherited socket. Throws the same exceptions as {@link #onPort}. */
    public static ServerSocketChannel onAny(SocketAddress wanted, TransportOptions options) throws IOException {
        if (wanted instanceof InheritedAddress inherited) {
            return inherited.name() == null ? inherited() : InheritedSockets.OF_PROCESS.open(inherited, false);
        }
        return wanted instanceof UnixDomainSocketAddress
                ? bound(ServerSocketChannel.open(StandardProtocolFamily.UNIX), wanted, options)
                : onPort(wanted, options);
    }

    private static ServerSocketChannel bound(
            ServerSocketChannel listening, SocketAddress wanted, TransportOptions options) throws IOException {
        boolean done = false;
        try {
            new SocketSettings(options).listen(listening, wanted, listening::bind);
            done = true;
            return listening;
        } finally {
            if (!done) {
                listening.close();
            }
        }
    }

    /** The socket that the parent process has bound. */
    private static ServerSocketChannel inherited() throws IOException {
        if (System.inheritedChannel() instanceof ServerSocketChannel listening) {
            return listening;
        }
        throw new BindException("cannot listen on the inherited socket: the process was not started with a listening"
                + " socket as its standard input, as inetd (wait) and systemd (StandardInput=socket) do");
    }
}
