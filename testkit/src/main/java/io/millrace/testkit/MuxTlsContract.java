package io.millrace.testkit;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsImplementation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link MuxContract} for a protocol, over {@link Transports#connections}: on every transport, without TLS and with each TLS implementation. */
@Tag("pairs")
@ParameterizedClass
@MethodSource("io.millrace.testkit.Transports#connections")
public abstract class MuxTlsContract extends MuxContract {

    @Parameter(0)
    private String transport = "";

    @Parameter(1)
    private @Nullable TlsImplementation tls;

    /** The protocol, for requests of a scheme. */
    protected abstract Protocol protocol(Settings options, String scheme);

    /** A client of the protocol, which has sent its preface. */
    protected abstract MuxClient client(RawClient connected, String scheme) throws IOException;

    @Override
    protected final TransportProvider provider() {
        return Transports.provider(transport);
    }

    @Override
    protected final TransportHarness harness(TransportProvider provider) {
        return tls == null ? super.harness(provider) : TransportHarness.secured(provider, TestTls.by(tls));
    }

    private String scheme() {
        return tls == null ? "http" : "https";
    }

    @Override
    protected final ConnectionHandler open(Settings options, Connection connection, Dispatcher dispatcher) {
        return protocol(options, scheme()).open(connection, null, dispatcher);
    }

    @Override
    protected final MuxClient client(RawClient connected) throws IOException {
        return client(connected, scheme());
    }
}
