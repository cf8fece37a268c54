package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;

final class ClientOverNioTest extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
