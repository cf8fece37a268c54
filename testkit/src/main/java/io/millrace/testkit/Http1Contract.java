package io.millrace.testkit;

import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;

import io.millrace.http1.Http1Protocol;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** HTTP/1.1 on a transport. */
public abstract class Http1Contract extends ProtocolContract implements ExpectAndTrailerCases, EarlyFinishCases {

    private @Nullable TransportHarness harness;

    /** The transport. */
    protected abstract TransportProvider provider();

    TransportHarness harnessFor(TransportProvider provider) {
        return new TransportHarness(provider);
    }

    String scheme() {
        return "http";
    }

    ContractLink connectTo(TransportHarness server) throws Exception {
        return new SocketLink(server.connect(), server.buffers());
    }

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void openHarness() {
        harness = harnessFor(provider());
    }

    @AfterEach
    void closeHarness() throws Exception {
        harness().close();
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws Exception {
        Settings options = Settings.DEFAULTS.with(MAX_KEEP_ALIVE_REQUESTS, -1);
        Http1Protocol protocol = new Http1Protocol(options, scheme());
        harness().accept(connection -> {
            ConnectionHandler handler = protocol.open(connection, null, dispatcher);
            connection.install(handler);
            handler.onReadable();
        });
        return new Http1ContractClient(connectTo(harness()));
    }
}
