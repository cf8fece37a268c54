package io.millrace.connector.nio2;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;

/** Offers the transport {@code nio2}: asynchronous channels served by a few I/O threads. */
public final class Nio2TransportProvider implements TransportProvider {

    /** For {@link java.util.ServiceLoader}. */
    public Nio2TransportProvider() {}

    @Override
    public String name() {
        return "nio2";
    }

    @Override
    public Transport create(TransportOptions options) {
        throw new IllegalStateException("the transport nio2 is being built: use nio");
    }
}
