package io.millrace.testkit;

import io.millrace.io.BufferPool;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A protocol on a transport, over sockets. */
public abstract class SocketContract extends ProtocolContract {

    private @Nullable TransportHarness harness;

    /** The transport. */
    protected abstract TransportProvider provider();

    /** The protocol. */
    protected abstract Protocol protocol();

    /** A client of the protocol. */
    protected abstract ContractClient client(ContractLink link);

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void openHarness() {
        harness = new TransportHarness(provider());
    }

    @AfterEach
    void closeHarness() throws Exception {
        harness().close();
    }

    @Override
    protected ContractClient connect(Dispatcher dispatcher) throws Exception {
        Protocol protocol = protocol();
        harness().accept(connection -> {
            ConnectionHandler handler = protocol.open(connection, null, dispatcher);
            connection.install(handler);
            handler.onReadable();
        });
        return connectAgain();
    }

    /** Another client of the transport that {@link #connect} has started. */
    protected final ContractClient connectAgain() throws IOException {
        return client(linkAgain());
    }

    /** Another link without a client, for bytes that need not be of the protocol. */
    protected final ContractLink linkAgain() throws IOException {
        return new SocketLink(harness().connect(), harness().buffers());
    }

    /** The buffer pool of the transport. */
    protected final BufferPool buffers() {
        return harness().buffers();
    }
}
