package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TlsTransportContract;

final class TlsOverAprTest extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
