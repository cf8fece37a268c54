package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketClientContract;

@InPart
final class WebSocketClientOverNio2Test extends WebSocketClientContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
