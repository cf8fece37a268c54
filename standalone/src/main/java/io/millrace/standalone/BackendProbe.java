package io.millrace.standalone;

import io.millrace.proxy.BackendAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Checks a backend of a Proxy by connecting to it, and without TLS whether it speaks the protocol. Sends no request. */
final class BackendProbe {

    /** The proxy's default. */
    private static final int TIMEOUT_MILLIS = 3000;

    private BackendProbe() {}

    /** Returns the protocol, for output. */
    static String protocol(BackendAddress backend) {
        String protocol = backend.scheme().protocol();
        return backend.scheme().secure() ? protocol + " over TLS" : protocol;
    }

    /** Returns a defect, as a predicate of a sentence; null if none is known. */
    static @Nullable String defect(BackendAddress backend) {
        SocketAddress address = backend.address();
        try {
            if (address instanceof UnixDomainSocketAddress) {
                SocketChannel.open(address).close();
            } else if (address instanceof InetSocketAddress inet) {
                return connect(backend, inet);
            }
            return null;
        } catch (IOException unreachable) {
            return "cannot be connected to now: " + unreachable.getMessage();
        }
    }

    private static @Nullable String connect(BackendAddress backend, InetSocketAddress inet) throws IOException {
        InetSocketAddress resolved = new InetSocketAddress(inet.getHostString(), inet.getPort());
        if (resolved.isUnresolved()) {
            throw new IOException("unknown host");
        }
        try (Socket socket = new Socket()) {
            socket.connect(resolved, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return backend.scheme().secure() || isSpoken(backend, socket)
                    ? null
                    : "does not answer as " + backend.scheme().protocol()
                            + " does; is it the port of another protocol?";
        }
    }

    private static boolean isSpoken(BackendAddress backend, Socket socket) {
        try {
            return backend.isSpoken(socket.getInputStream(), socket.getOutputStream());
        } catch (IOException silentOrGone) {
            return false;
        }
    }
}
