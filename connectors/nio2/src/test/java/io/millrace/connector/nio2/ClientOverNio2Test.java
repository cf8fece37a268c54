package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;

final class ClientOverNio2Test extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
