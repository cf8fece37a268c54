package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.WebSocketClientContract;

final class WebSocketClientOverNioTest extends WebSocketClientContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
