package io.millrace.testkit;

import io.millrace.io.TransportProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** The proxy, on a transport, with a client and a backend that are sockets of the test. It … */
@Timeout(120)
public abstract class ProxyContract
        implements ProxyMessageCases, ProxyFailureCases, ProxyResetCases, ProxyBackendCases {

    private @Nullable ProxyHarness harness;

    /** The transport. */
    protected abstract TransportProvider provider();

    @Override
    public ProxyHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void open() throws IOException {
        harness = new ProxyHarness(provider());
    }

    @AfterEach
    void close() throws Exception {
        harness().close();
    }
}
