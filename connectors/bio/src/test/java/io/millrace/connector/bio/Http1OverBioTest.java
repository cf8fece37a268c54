package io.millrace.connector.bio;

import io.millrace.http1.Http1Options;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.Http1ContractClient;
import io.millrace.testkit.ProtocolContract;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.TransportHarness;
import org.junit.jupiter.api.AfterEach;

/** HTTP/1.1 on this transport. */
class Http1OverBioTest extends ProtocolContract {

    private final TransportHarness harness = new TransportHarness(provider());
    private final Timers timers = new Timers("test-http1");

    TransportProvider provider() {
        return new BioTransportProvider();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
        timers.close();
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws Exception {
        Http1Options options = Http1Options.builder().maxKeepAliveRequests(-1).build();
        Http1Protocol protocol = new Http1Protocol(options, "http", timers, Runnable::run);
        harness.accept(connection -> {
            ConnectionHandler handler = protocol.open(connection, null, dispatcher);
            connection.install(handler);
            handler.onReadable();
        });
        return new Http1ContractClient(new SocketLink(harness.connect(), harness.buffers()));
    }
}
