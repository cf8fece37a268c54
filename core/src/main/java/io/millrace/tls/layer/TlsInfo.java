package io.millrace.tls.layer;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The properties of a connection whose TLS is terminated here. */
record TlsInfo(
        Connection below,
        SSLSession tlsSession,
        @Nullable String tlsServerName,
        @Nullable String applicationProtocol) implements ConnectionInfo {

    @Override
    public SocketAddress local() {
        return below.channel().info().local();
    }

    @Override
    public SocketAddress remote() {
        return below.channel().info().remote();
    }

    @Override
    public ConnectionInfo direct() {
        ConnectionInfo plain = below.channel().info();
        return plain.frontEnd() == null ? this : plain.direct();
    }

    @Override
    public @Nullable FrontEnd frontEnd() {
        return below.channel().info().frontEnd();
    }

    @Override
    public boolean isSecure() {
        return true;
    }
}
