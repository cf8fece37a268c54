package io.millrace.connector.nio2;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.SharedThreads;

/** Offers the transport {@code nio2}: asynchronous channels served by a few I/O threads. */
public final class Nio2TransportProvider implements TransportProvider {

    private final SharedThreads<IoGroup> groups = new SharedThreads<>(IoGroup::start);

    /** For {@link java.util.ServiceLoader}. */
    public Nio2TransportProvider() {}

    @Override
    public String name() {
        return "nio2";
    }

    @Override
    public Transport create(TransportOptions options) {
        return Nio2Sockets.transport(options, groups);
    }
}
