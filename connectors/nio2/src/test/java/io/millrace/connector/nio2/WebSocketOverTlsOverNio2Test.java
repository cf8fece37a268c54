package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketContract;
import io.millrace.tls.TlsImplementation;

@InPart
final class WebSocketOverTlsOverNio2Test extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
