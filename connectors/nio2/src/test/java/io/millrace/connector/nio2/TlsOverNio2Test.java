package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.TlsTransportContract;

@InPart
final class TlsOverNio2Test extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }

    /** The JDK's asynchronous channels have no SO_LINGER. */
    @Override
    public boolean canReset() {
        return false;
    }
}
