package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;
import io.millrace.testkit.InPart;

@InPart
final class ClientOverNio2Test extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
