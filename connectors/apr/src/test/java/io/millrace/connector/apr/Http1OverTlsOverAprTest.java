package io.millrace.connector.apr;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;

final class Http1OverTlsOverAprTest extends Http1TlsContract {

    @Override
    protected TransportProvider provider() {
        return new AprTransportProvider();
    }
}
