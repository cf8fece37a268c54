package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ProxyContract;

final class ProxyOverNioTest extends ProxyContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
