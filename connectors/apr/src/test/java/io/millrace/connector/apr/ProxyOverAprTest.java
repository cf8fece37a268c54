package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ProxyContract;

final class ProxyOverAprTest extends ProxyContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
