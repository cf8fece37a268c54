package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;
import io.millrace.testkit.InPart;

@InPart
final class ClientOverAprTest extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
