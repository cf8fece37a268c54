package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;

final class ClientOverAprTest extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
