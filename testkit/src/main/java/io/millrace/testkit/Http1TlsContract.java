package io.millrace.testkit;

import io.millrace.io.TransportProvider;
import io.millrace.tls.TlsImplementation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 over TLS on a transport. */
public abstract class Http1TlsContract extends Http1Contract {

    private @Nullable TestTls tls;

    /** The TLS implementation; the JDK's by default. */
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }

    @Override
    TransportHarness harnessFor(TransportProvider provider) {
        tls = TestTls.by(implementation());
        return TransportHarness.secured(provider, tls);
    }

    @Override
    String scheme() {
        return "https";
    }

    @Override
    ContractLink connectTo(TransportHarness server) throws Exception {
        return new TlsLink(
                new SocketLink(server.connectPlain(), server.buffers()),
                Objects.requireNonNull(tls).clientEngine());
    }
}
