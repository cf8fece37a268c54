package io.millrace.testkit;

import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http1.Http1Protocol;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Transport;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.settings.Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HTTP/1.1 on a transport. */
public abstract class Http1Contract extends ProtocolContract
        implements ExpectAndTrailerCases, EarlyFinishCases, SwitchCases {

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
        serve(dispatcher);
        return new Http1ContractClient(connectTo(harness()));
    }

    private Transport serve(Dispatcher dispatcher) throws IOException {
        Settings options = Settings.DEFAULTS.with(MAX_KEEP_ALIVE_REQUESTS, -1);
        Http1Protocol protocol = new Http1Protocol(options, scheme());
        return harness().accept(connection -> {
            ConnectionHandler handler = protocol.open(connection, null, dispatcher);
            connection.install(handler);
            handler.onReadable();
        });
    }

    /** A request that crosses the end of an idle connection is not served, but its client sees an end and no reset. */
    @Test
    @DiffersByTransport
    void endsIdleConnectionsInOrderWhenItStops() throws Exception {
        Transport transport = serve(server());
        ContractLink link = connectTo(harness());
        ContractClient client = new Http1ContractClient(link);
        ask(client, ContractRequest.of("GET", "/hello"));
        var stopped = transport.stop(Deadline.DEFAULT);
        assertTrue(client.awaitEnd());
        for (int i = 0; i < 3; i++) {
            client.send(ContractRequest.of("GET", "/hello")); // would fail after a reset
        }
        client.finish();
        Deadline.await(stopped);
    }
}
