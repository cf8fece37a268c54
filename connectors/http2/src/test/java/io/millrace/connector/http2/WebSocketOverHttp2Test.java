package io.millrace.connector.http2;

import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.Transports;
import io.millrace.testkit.WebSocketContract;
import io.millrace.tls.TlsImplementation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * WebSockets on streams of HTTP/2 (RFC 8441) behave as over HTTP/1.1: all tests on the default transport, and on every transport those
 * that depend on it.
 */
@ParameterizedClass
@MethodSource("connections")
final class WebSocketOverHttp2Test extends WebSocketContract {

    private final String transport;
    private final @Nullable TlsImplementation tls;

    WebSocketOverHttp2Test(String transport, @Nullable TlsImplementation tls) {
        this.transport = transport;
        this.tls = tls;
    }

    static List<Arguments> connections() {
        List<Arguments> all = new ArrayList<>();
        for (String name : Transports.installed()) {
            all.add(Arguments.of(name, null));
        }
        all.add(Arguments.of(Transports.byDefault(), TlsImplementation.JSSE));
        return all;
    }

    @Override
    protected TransportProvider provider() {
        return Transports.provider(transport);
    }

    @Override
    protected @Nullable TlsImplementation implementation() {
        return tls;
    }

    @Override
    protected Protocol protocol() {
        return new Http2Protocol(Settings.DEFAULTS, "http");
    }

    @Override
    protected ContractLink link(ContractLink connection) throws IOException {
        return new Http2TunnelLink(connection);
    }

    @Override
    protected boolean isHttp1() {
        return false;
    }

    @Override
    protected boolean isWhole() {
        return transport.equals(Transports.byDefault()) && tls == null;
    }
}
