package io.millrace.connector.nio;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;

/** Offers the transport {@code nio}: non-blocking sockets served by a few I/O threads, on XNIO. */
public final class NioTransportProvider implements TransportProvider {

    private final SharedWorker workers = new SharedWorker();

    /** For {@link java.util.ServiceLoader}. */
    public NioTransportProvider() {}

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public Transport create(TransportOptions options) {
        return new NioTransport(options, workers);
    }
}
