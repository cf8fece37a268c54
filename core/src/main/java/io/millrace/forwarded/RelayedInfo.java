package io.millrace.forwarded;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The client's connection, as reported by a front end; other properties are those of the front end's connection. */
record RelayedInfo(ConnectionInfo connection, SocketAddress local, SocketAddress remote, boolean isSecure)
        implements ConnectionInfo {

    @Override
    public ConnectionInfo direct() {
        return connection.direct();
    }

    @Override
    public SocketAddress sender() {
        return connection.sender();
    }

    @Override
    public @Nullable SSLSession tlsSession() {
        return connection.tlsSession();
    }

    @Override
    public @Nullable String tlsServerName() {
        return connection.tlsServerName();
    }

    @Override
    public @Nullable String applicationProtocol() {
        return connection.applicationProtocol();
    }

    @Override
    public @Nullable FrontEnd frontEnd() {
        return connection.frontEnd();
    }
}
