package io.millrace.connector.nio;

import io.millrace.io.Connection;
import io.millrace.io.TransportProvider;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.WebSocketContract;

final class WebSocketOverDripOverNioTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }

    @Override
    protected Connection layer(Connection connection) {
        return new DripConnection(connection);
    }
}
