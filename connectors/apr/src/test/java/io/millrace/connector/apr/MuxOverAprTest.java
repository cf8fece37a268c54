package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.MuxContract;

@InPart
final class MuxOverAprTest extends MuxContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
