package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;

final class Http1OverTlsOverNioTest extends Http1TlsContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
