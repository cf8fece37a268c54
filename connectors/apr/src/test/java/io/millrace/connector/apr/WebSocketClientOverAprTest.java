package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketClientContract;

@InPart
final class WebSocketClientOverAprTest extends WebSocketClientContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
