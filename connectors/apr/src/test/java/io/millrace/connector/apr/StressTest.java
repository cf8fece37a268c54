package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.natives.NativeObjects;
import io.millrace.testkit.StressContract;
import io.millrace.tls.TlsImplementation;

/** The Apache Portable Runtime under random events at random times. */
final class StressTest extends StressContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }

    @Override
    protected int connections() {
        return 20_000;
    }

    /** APR pools: one for each socket and pollset, and the spare one of each acceptor. */
    @Override
    protected int nativeObjects() {
        return NativeObjects.live();
    }
}
