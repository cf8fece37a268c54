package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TlsTransportContract;

final class TlsOverNioTest extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
