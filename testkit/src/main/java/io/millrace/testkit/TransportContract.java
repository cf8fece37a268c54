package io.millrace.testkit;

import io.millrace.io.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport must do, as {@link io.millrace.io.Connection} and {@link io.millrace.io.Transport} specify it.
 * The test of a transport inherits this class and provides its {@link TransportProvider}.
 */
@Timeout(120)
public abstract class TransportContract
        implements ReadContract,
                WriteContract,
                DuplexContract,
                CloseContract,
                IdleContract,
                AcceptContract,
                StopContract,
                RaceContract,
                DialContract,
                FaultContract {

    private @Nullable TransportHarness harness;

    /** The transport to test. */
    protected abstract TransportProvider provider();

    @Override
    public TransportHarness harness() {
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
}
