package io.millrace.io;

import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What is known of a connection's two ends. */
public interface ConnectionInfo {

    /** The address the peer connected to. */
    SocketAddress local();

    /** The peer's address. */
    SocketAddress remote();

    /** True if what travels on this connection is protected: by TLS here, or by a front end that says so. */
    default boolean isSecure() {
        return false;
    }

    /** The TLS session, if TLS ends here. */
    default @Nullable SSLSession tlsSession() {
        return null;
    }

    /** The protocol chosen by ALPN, if any. */
    default @Nullable String applicationProtocol() {
        return null;
    }

    /**
     * The connection with this machine's direct peer, whatever a front end reported of the client behind it. It is this one
     * itself if no front end reported anything.
     */
    default ConnectionInfo direct() {
        return this;
    }

    /** What a trusted front end reported of this connection; null if there is none, or its protocol reports nothing. */
    default @Nullable FrontEnd frontEnd() {
        return null;
    }
}
