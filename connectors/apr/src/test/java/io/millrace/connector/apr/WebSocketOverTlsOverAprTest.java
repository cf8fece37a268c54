package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketContract;
import io.millrace.tls.TlsImplementation;

@InPart
final class WebSocketOverTlsOverAprTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
