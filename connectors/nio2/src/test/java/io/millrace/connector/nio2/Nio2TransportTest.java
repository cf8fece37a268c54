package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TransportContract;

final class Nio2TransportTest extends TransportContract {

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
