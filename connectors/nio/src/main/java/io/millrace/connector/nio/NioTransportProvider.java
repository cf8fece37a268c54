package io.millrace.connector.nio;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.SharedThreads;

/** Offers the transport {@code nio}: non-blocking sockets served by a few I/O threads, on XNIO. */
public final class NioTransportProvider implements TransportProvider {

    private final SharedThreads<XnioThreads> threads = new SharedThreads<>(XnioThreads::new);

    /** For {@link java.util.ServiceLoader}. */
    public NioTransportProvider() {}

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public Transport create(TransportOptions options) {
        return NioSockets.transport(options, threads);
    }
}
