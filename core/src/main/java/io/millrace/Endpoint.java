package io.millrace;

import io.millrace.io.InheritedAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where a connector listens: a port, a Unix domain socket, or a socket that the process was started with. */
final class Endpoint {

    private final Connector connector;
    private final @Nullable UnixSocketFile file;

    Endpoint(Connector connector) {
        this.connector = connector;
        file = connector.unixSocket();
    }

    SocketAddress wanted() throws IOException {
        if (connector.isInherited()) {
            return InheritedAddress.INSTANCE;
        }
        if (file != null) {
            return file.address();
        }
        String host = connector.address();
        return host == null
                ? new InetSocketAddress(connector.port())
                : new InetSocketAddress(InetAddress.getByName(host), connector.port());
    }

    /** Fails soon and with nothing done if the address is in use: applications may take minutes to start. */
    void probe() throws IOException {
        SocketAddress wanted = wanted();
        try {
            if (file != null) {
                file.removeStale();
            } else if (wanted instanceof InetSocketAddress inet && inet.getPort() != 0) {
                probe(inet);
            }
        } catch (IOException e) {
            throw new IOException("Can't listen on " + describe(wanted) + ": " + e.getMessage(), e);
        }
    }

    private static void probe(InetSocketAddress wanted) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(wanted);
        }
    }

    /** The transport listens. */
    void opened() throws IOException {
        if (file != null) {
            file.permit();
        }
    }

    /** The transport has stopped listening, after {@link #opened}. */
    void closed() {
        if (file != null) {
            try {
                file.remove();
            } catch (IOException e) {
                Messages.LOG.socketFileNotRemoved(describe(file.address()), String.valueOf(e.getMessage()));
            }
        }
    }

    /** For people. */
    static String describe(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress unix) {
            return "unix:" + unix.getPath();
        }
        if (!(address instanceof InetSocketAddress inet)) {
            return address.toString();
        }
        InetAddress host = inet.getAddress();
        String text = host == null ? inet.getHostString() : host.getHostAddress();
        return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + inet.getPort();
    }
}
