package io.millrace.server;

import io.millrace.io.InheritedAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where a connector listens: a port, a Unix domain socket, or a socket that the process was started with. */
public final class Endpoint {

    private final boolean inherited;
    private final @Nullable UnixSocketFile file;
    private final @Nullable String host;
    private final int port;

    /**
     * Of a connector.
     *
     * @param inherited on the socket that the process was started with
     * @param file on this socket, if not inherited
     * @param host on this address and {@code port}, if neither; null for all addresses
     */
    public Endpoint(boolean inherited, @Nullable UnixSocketFile file, @Nullable String host, int port) {
        this.inherited = inherited;
        this.file = file;
        this.host = host;
        this.port = port;
    }

    public SocketAddress wanted() throws IOException {
        if (inherited) {
            return InheritedAddress.INSTANCE;
        }
        if (file != null) {
            return file.address();
        }
        return host == null ? new InetSocketAddress(port) : new InetSocketAddress(InetAddress.getByName(host), port);
    }

    /** Fails soon and with nothing done if the address is in use: applications may take minutes to start. */
    public void probe() throws IOException {
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
    public void opened() throws IOException {
        if (file != null) {
            file.permit();
        }
    }

    /** The transport has stopped listening, after {@link #opened}. */
    public void closed() {
        if (file != null) {
            try {
                file.remove();
            } catch (IOException e) {
                ServerMessages.LOG.socketFileNotRemoved(describe(file.address()), String.valueOf(e.getMessage()));
            }
        }
    }

    /** For people. */
    public static String describe(SocketAddress address) {
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
