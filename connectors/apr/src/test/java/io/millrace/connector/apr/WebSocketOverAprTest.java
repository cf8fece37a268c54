package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.WebSocketContract;

final class WebSocketOverAprTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
