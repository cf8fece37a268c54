package io.millrace.connector.nio;

import io.millrace.io.InheritedAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** The kinds of sockets that can be listened on. */
final class ListeningSocket {

    private ListeningSocket() {}

    /** One of the address's kind, not bound; but bound already if it is inherited. */
    static ServerSocketChannel open(SocketAddress wanted) throws IOException {
        if (wanted instanceof UnixDomainSocketAddress) {
            return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        }
        return wanted instanceof InheritedAddress ? inherited() : ServerSocketChannel.open();
    }

    private static ServerSocketChannel inherited() throws IOException {
        if (System.inheritedChannel() instanceof ServerSocketChannel listening) {
            return listening;
        }
        throw new BindException("cannot listen on the inherited socket: the process was not started with a listening"
                + " socket as its standard input, as inetd (wait) and systemd (StandardInput=socket) do");
    }
}
