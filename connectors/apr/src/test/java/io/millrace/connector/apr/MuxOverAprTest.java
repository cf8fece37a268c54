package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.MuxContract;

final class MuxOverAprTest extends MuxContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
