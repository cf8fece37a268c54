package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;
import io.millrace.testkit.InPart;

@InPart
final class Http1OverTlsOverNio2Test extends Http1TlsContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
