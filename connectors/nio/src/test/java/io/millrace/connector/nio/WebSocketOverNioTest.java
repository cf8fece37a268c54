package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.WebSocketContract;

final class WebSocketOverNioTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
