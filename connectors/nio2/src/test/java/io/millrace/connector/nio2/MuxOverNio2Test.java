package io.millrace.connector.nio2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.MuxContract;

@InPart
final class MuxOverNio2Test extends MuxContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }
}
