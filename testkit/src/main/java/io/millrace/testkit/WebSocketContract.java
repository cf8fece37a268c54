package io.millrace.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsImplementation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** WebSocket (RFC 6455, RFC 7692) on a transport. On a connection it … */
@Timeout(120)
public abstract class WebSocketContract
        implements WebSocketHandshakeCases,
                WebSocketMessageCases,
                WebSocketDeflateCases,
                WebSocketViolationCases,
                WebSocketEndCases {

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
    protected Protocol protocol() {
        return new Http1Protocol(Settings.DEFAULTS, "http");
    }

    /** The client's link, on which the HTTP/1.1 handshake is sent, whatever the protocol. */
    protected ContractLink link(ContractLink connection) throws IOException {
        return connection;
    }

    /** Whether HTTP/1.1 carries them; its handshake has fields that others lack. */
    protected boolean isHttp1() {
        return true;
    }

    /** Whether to run the cases that are the same on every transport. False if another class runs them over this protocol. */
    protected boolean isWhole() {
        return true;
    }

    @Override
    public WebSocketHarness sockets() {
        if (sockets == null) {
            throw new IllegalStateException("no test is running");
        }
        return sockets;
    }

    @BeforeEach
    void open(TestInfo test) throws IOException {
        assumeTrue(isWhole() || test.getTags().contains(WebSocketHarness.DIFFERS_BY_TRANSPORT));
        TlsImplementation secured = implementation();
        TestTls tls = secured == null ? null : TestTls.by(secured);
        sockets = new WebSocketHarness(provider(), tls, this::layer, protocol(), isHttp1(), this::link);
    }

    @AfterEach
    void close() throws Exception {
        if (sockets != null) {
            sockets.close();
        }
    }
}
