package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.TransportContract;

@InPart
final class XnioTransportTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new XnioProvider();
    }
}
