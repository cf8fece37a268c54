package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1Contract;

final class Http1OverNio2Test extends Http1Contract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
