package io.millrace.connector.bio;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.Watcher;

/** Offers the transport {@code bio}: a thread for each busy connection, virtual where Java has them. */
public final class BioTransportProvider implements TransportProvider {

    private final SharedThreads<Watcher> watcher = new SharedThreads<>((name, one) -> Watcher.start(name));

    /** For {@link java.util.ServiceLoader}. */
    public BioTransportProvider() {}

    @Override
    public String name() {
        return "bio";
    }

    /**
     * @throws IllegalStateException if virtual threads are asked for on a Java without them
     */
    @Override
    public Transport create(TransportOptions options) {
        return BioSockets.transport(options, watcher);
    }
}
