package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketContract;
import io.millrace.tls.TlsImplementation;

@InPart
final class WebSocketOverTlsOverBioTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
