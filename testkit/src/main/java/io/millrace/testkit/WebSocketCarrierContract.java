package io.millrace.testkit;

import io.millrace.io.Connection;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.tls.TlsImplementation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** WebSocket (RFC 6455, RFC 7692) over a protocol that carries it, on a transport. On a connection it … */
@Timeout(120)
public abstract class WebSocketCarrierContract
        implements WebSocketMessageCases, WebSocketDeflateCases, WebSocketViolationCases, WebSocketEndCases {

    private @Nullable WebSocketHarness sockets;

    /** The transport. */
    protected abstract TransportProvider provider();

    /** The TLS implementation; null for plain connections. */
    protected @Nullable TlsImplementation implementation() {
        return null;
    }

    /** Wraps the connection below HTTP/1.1. */
    protected Connection layer(Connection connection) {
        return connection;
    }

    /** The protocol that carries WebSockets. */
    protected abstract Protocol protocol();

    /** The client's link, on which the HTTP/1.1 handshake is sent, whatever the protocol. */
    protected ContractLink link(ContractLink connection) throws IOException {
        return connection;
    }

    @Override
    public WebSocketHarness sockets() {
        if (sockets == null) {
            throw new IllegalStateException("no test is running");
        }
        return sockets;
    }

    @BeforeEach
    void open() throws IOException {
        TlsImplementation secured = implementation();
        TestTls tls = secured == null ? null : TestTls.by(secured);
        sockets = new WebSocketHarness(provider(), tls, this::layer, protocol(), this::link);
    }

    @AfterEach
    void close() throws Exception {
        if (sockets != null) {
            sockets.close();
        }
    }
}
