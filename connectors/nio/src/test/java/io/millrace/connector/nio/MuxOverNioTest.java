package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.MuxContract;

final class MuxOverNioTest extends MuxContract {

    @Override
    protected TransportProvider provider() {
        return new NioTransportProvider();
    }
}
