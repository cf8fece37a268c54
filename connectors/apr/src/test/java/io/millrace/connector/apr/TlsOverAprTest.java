package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.TlsTransportContract;

@InPart
final class TlsOverAprTest extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
