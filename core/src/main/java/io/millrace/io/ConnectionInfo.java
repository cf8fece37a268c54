package io.millrace.io;

import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Information about the two ends of a connection. */
public interface ConnectionInfo {

    /** The local address to which the peer connected. */
    SocketAddress local();

    /** The address of the peer; behind a trusted front end that reports it, the address of the client. */
    SocketAddress remote();

    /**
     * The user of the process that connected by a Unix domain socket, by number if it has no name; null if it is unknown, as for all
     * other connections. May block, so it must not be called by an I/O thread.
     */
    default @Nullable String peerUser() {
        return null;
    }

    /** Whether the connection is secure: because of TLS on it, or because a trusted front end reports TLS. */
    default boolean isSecure() {
        return false;
    }

    /** The TLS session; null if this server does not terminate TLS on the connection. */
    default @Nullable SSLSession tlsSession() {
        return null;
    }

    /**
     * The host name in the TLS handshake (SNI) that selected the certificate and the rules for client certificates; null if there
     * is none. The name in {@link #tlsSession} may be another one: the session may have been created by a handshake with another
     * name of the same TLS host, and a client may change the name after a HelloRetryRequest.
     */
    default @Nullable String tlsServerName() {
        return null;
    }

    /** The protocol selected by ALPN; null if there is none. */
    default @Nullable String applicationProtocol() {
        return null;
    }

    /**
     * The connection to the direct peer, regardless of what a front end reported about the client behind it. The same
     * object if no front end reported anything.
     */
    default ConnectionInfo direct() {
        return this;
    }

    /**
     * The address of who wrote the header fields of requests: that of the front end if its protocol reports the client beside
     * them, as AJP does; otherwise the same as {@link #remote}.
     */
    default SocketAddress sender() {
        return remote();
    }

    /**
     * What a trusted front end reported about this connection; null if there is no front end, or if its protocol reports
     * nothing.
     */
    default @Nullable FrontEnd frontEnd() {
        return null;
    }
}
