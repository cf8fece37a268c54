package io.millrace.connector.nio;

import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.io.IOException;

/** The transport with XNIO's event loop, for the contracts. */
final class XnioProvider implements TransportProvider {

    private final TransportProvider nio = new NioTransportProvider();

    @Override
    public String name() {
        return nio.name();
    }

    @Override
    public Transport create(TransportOptions options) {
        return nio.create(options.with(TransportOptions.LOOP, "xnio"));
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return nio.dialer(options.with(TransportOptions.LOOP, "xnio"));
    }
}
