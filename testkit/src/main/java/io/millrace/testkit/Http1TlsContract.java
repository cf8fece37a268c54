package io.millrace.testkit;

import io.millrace.http1.Http1Options;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** HTTP/1.1 over TLS on a transport. */
public abstract class Http1TlsContract extends ProtocolContract {

    private final TestTls tls = TestTls.create();
    private final Timers timers = new Timers("test-http1");
    private @Nullable TransportHarness harness;

    /** The transport below TLS. */
    protected abstract TransportProvider provider();

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void openHarness() {
        harness = TransportHarness.secured(provider(), tls);
    }

    @AfterEach
    void closeHarness() throws Exception {
        harness().close();
        timers.close();
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws Exception {
        Http1Options options = Http1Options.builder().maxKeepAliveRequests(-1).build();
        Http1Protocol protocol = new Http1Protocol(options, "https", timers, Runnable::run);
        harness().accept(connection -> {
            ConnectionHandler handler = protocol.open(connection, null, dispatcher);
            connection.install(handler);
            handler.onReadable();
        });
        SocketLink link = new SocketLink(harness().connectPlain(), harness().buffers());
        return new Http1ContractClient(new TlsLink(link, tls.clientEngine()));
    }
}
