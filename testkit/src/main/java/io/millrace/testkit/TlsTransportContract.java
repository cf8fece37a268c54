package io.millrace.testkit;

import io.millrace.io.TransportProvider;
import io.millrace.tls.TlsImplementation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport must do with TLS on top of it: the decrypted connection fulfils the same contract. Tests of
 * accepting are in {@link TransportContract} only.
 */
@Timeout(120)
public abstract class TlsTransportContract
        implements ReadContract,
                WriteContract,
                DuplexContract,
                CloseContract,
                IdleContract,
                StopContract,
                RaceContract,
                TlsContract,
                TlsClientContract {

    private @Nullable TransportHarness harness;

    /** The transport below TLS. */
    protected abstract TransportProvider provider();

    /** The TLS implementation; the JDK's by default. */
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }

    @Override
    public TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void openHarness() {
        harness = TransportHarness.secured(provider(), TestTls.by(implementation()));
    }

    @AfterEach
    void closeHarness() throws Exception {
        harness().close();
    }
}
