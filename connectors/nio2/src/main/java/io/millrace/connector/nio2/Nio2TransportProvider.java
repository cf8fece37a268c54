package io.millrace.connector.nio2;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;

/** Offers the transport {@code nio2}: asynchronous channels served by a few I/O threads. */
public final class Nio2TransportProvider implements TransportProvider {

    private final SharedGroup groups = new SharedGroup();

    /** For {@link java.util.ServiceLoader}. */
    public Nio2TransportProvider() {}

    @Override
    public String name() {
        return "nio2";
    }

    @Override
    public Transport create(TransportOptions options) {
        return new Nio2Transport(options, groups);
    }
}
