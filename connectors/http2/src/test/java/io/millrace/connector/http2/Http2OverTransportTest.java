package io.millrace.connector.http2;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.testkit.MuxClient;
import io.millrace.testkit.MuxContract;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.TransportHarness;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 on every transport there is, without TLS and with that of each implementation. */
@ParameterizedClass
@MethodSource("connections")
final class Http2OverTransportTest extends MuxContract {

    private final String transport;
    private final @Nullable TlsImplementation tls;

    Http2OverTransportTest(String transport, @Nullable TlsImplementation tls) {
        this.transport = transport;
        this.tls = tls;
    }

    static List<Arguments> connections() {
        List<Arguments> all = new ArrayList<>();
        for (String name : Transports.installed()) {
            all.add(Arguments.of(name, null));
            all.add(Arguments.of(name, TlsImplementation.JSSE));
            all.add(Arguments.of(name, TlsImplementation.OPENSSL));
        }
        return all;
    }

    @Override
    protected TransportProvider provider() {
        return Transports.provider(transport);
    }

    @Override
    protected TransportHarness harness(TransportProvider provider) {
        return tls == null ? super.harness(provider) : TransportHarness.secured(provider, TestTls.by(tls));
    }

    private String scheme() {
        return tls == null ? "http" : "https";
    }

    @Override
    protected ConnectionHandler open(MuxOptions options, Connection connection, Dispatcher dispatcher) {
        Http2Options limits = Http2Options.builder().streams(options).build();
        return new Http2Protocol(limits, scheme()).open(connection, null, dispatcher);
    }

    @Override
    protected MuxClient client(RawClient connected) throws IOException {
        return new Http2MuxClient(connected, scheme());
    }
}
