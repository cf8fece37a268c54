package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1Contract;

final class Http1OverAprTest extends Http1Contract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
