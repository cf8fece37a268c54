package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketContract;

@InPart
final class WebSocketOverNio2Test extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
