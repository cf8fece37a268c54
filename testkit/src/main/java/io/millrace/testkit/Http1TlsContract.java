package io.millrace.testkit;

import io.millrace.io.TransportProvider;

/** HTTP/1.1 over TLS on a transport. */
public abstract class Http1TlsContract extends Http1Contract {

    private final TestTls tls = TestTls.create();

    @Override
    TransportHarness harnessFor(TransportProvider provider) {
        return TransportHarness.secured(provider, tls);
    }

    @Override
    String scheme() {
        return "https";
    }

    @Override
    ContractLink connectTo(TransportHarness server) throws Exception {
        return new TlsLink(new SocketLink(server.connectPlain(), server.buffers()), tls.clientEngine());
    }
}
