package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.ProxyContract;

@InPart
final class ProxyOverAprTest extends ProxyContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
