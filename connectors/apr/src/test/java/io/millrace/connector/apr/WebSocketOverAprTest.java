package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketContract;

@InPart
final class WebSocketOverAprTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
