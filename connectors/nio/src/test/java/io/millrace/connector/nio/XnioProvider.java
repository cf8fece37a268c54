package io.millrace.connector.nio;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;

/** The transport with XNIO's event loop, for the contracts. */
final class XnioProvider implements TransportProvider {

    private final TransportProvider nio = new NioTransportProvider();

    @Override
    public String name() {
        return nio.name();
    }

    @Override
    public Transport create(TransportOptions options) {
        return nio.create(options.withLoop("xnio"));
    }
}
