package io.millrace.forwarded;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A connection with the client, as the front end has it; what it doesn't tell is that of the connection with us. */
record RelayedInfo(ConnectionInfo ours, SocketAddress local, SocketAddress remote, boolean isSecure)
        implements ConnectionInfo {

    @Override
    public ConnectionInfo direct() {
        return ours.direct();
    }

    @Override
    public @Nullable SSLSession tlsSession() {
        return ours.tlsSession();
    }

    @Override
    public @Nullable String applicationProtocol() {
        return ours.applicationProtocol();
    }

    @Override
    public @Nullable FrontEnd frontEnd() {
        return ours.frontEnd();
    }
}
