package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TransportContract;

final class AprTransportTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
