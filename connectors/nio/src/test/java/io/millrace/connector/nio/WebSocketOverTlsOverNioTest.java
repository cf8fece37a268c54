package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.WebSocketContract;
import io.millrace.tls.TlsImplementation;

final class WebSocketOverTlsOverNioTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
