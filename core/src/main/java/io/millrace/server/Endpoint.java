package io.millrace.server;

import io.millrace.io.InheritedAddress;
import io.millrace.io.PortInUseException;
import io.millrace.log.CoreLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The address of a connector: a port, a Unix domain socket, or an inherited socket. */
public final class Endpoint {

    private final @Nullable InheritedAddress inherited;
    private final @Nullable UnixSocketFile file;
    private final @Nullable String host;
    private final int port;

    /**
     * The address of a connector.
     *
     * @param inherited the inherited socket; null for none
     * @param file the Unix domain socket, if it is not inherited
     * @param host the host name or address for the port, if it is neither; null for all addresses
     */
    public Endpoint(
            @Nullable InheritedAddress inherited, @Nullable UnixSocketFile file, @Nullable String host, int port) {
        this.inherited = inherited;
        this.file = file;
        this.host = host;
        this.port = port;
    }

    public SocketAddress wanted() throws IOException {
        if (inherited != null) {
            return inherited;
        }
        if (file != null) {
            return file.address();
        }
        return host == null ? new InetSocketAddress(port) : new InetSocketAddress(InetAddress.getByName(host), port);
    }

    /** Fails early if the address is in use, before applications start, which may take minutes. */
    public void probe() throws IOException {
        SocketAddress wanted = wanted();
        try {
            if (file != null) {
                file.removeStale();
            } else if (wanted instanceof InetSocketAddress inet && inet.getPort() != 0) {
                probe(inet);
            }
        } catch (IOException e) {
            String why = file == null ? BindAdvice.explain(e.getMessage(), port) : e.getMessage();
            String message = "Cannot listen on " + describe(wanted) + ": " + why;
            if (isTaken(e) && wanted instanceof InetSocketAddress inet) {
                throw new PortInUseException(message, inet, e);
            }
            throw new IOException(message, e);
        }
    }

    /** The exception for a transport's: of the type for a port that is in use, if it was taken since it was probed. */
    public IOException failure(IOException e) throws IOException {
        return isTaken(e) && wanted() instanceof InetSocketAddress inet
                ? new PortInUseException(String.valueOf(e.getMessage()), inet, e)
                : e;
    }

    /** EADDRINUSE, which Java reports by a text only. */
    private static boolean isTaken(IOException e) {
        return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("address already in use");
    }

    /** Binds without listening: a client that connected to a socket which is closed at once would be reset. */
    private static void probe(InetSocketAddress wanted) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setReuseAddress(true);
            socket.bind(wanted);
        }
    }

    /** Called when the transport is listening. */
    public void opened() throws IOException {
        if (file != null) {
            file.permit();
        }
    }

    /** Called after {@link #opened}, when the transport has stopped listening. */
    public void closed() {
        if (file != null) {
            try {
                file.remove();
            } catch (IOException e) {
                CoreLog.SERVER.socketFileNotRemoved(describe(file.address()), String.valueOf(e.getMessage()));
            }
        }
    }

    /** A readable form of an address. */
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
