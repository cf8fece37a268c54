package io.millrace.connector.apr;

import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Offers the transport {@code apr}: non-blocking sockets of the Apache Portable Runtime, served by a few I/O threads. Compiled
 * for Java 17, like nothing else here but the module's declaration: so a server on an older Java than 22 can list it, and
 * say what it lacks. For the same reason it finds the rest by name.
 */
public final class AprTransportProvider implements TransportProvider {

    private static final int LEAST_JAVA = 22;
    private static final String TRANSPORTS = "io.millrace.connector.apr.AprTransports";

    private @Nullable TransportProvider transports;

    /** For {@link java.util.ServiceLoader}. */
    public AprTransportProvider() {}

    @Override
    public String name() {
        return "apr";
    }

    @Override
    public Transport create(TransportOptions options) {
        return transports().create(options);
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return transports().dialer(options);
    }

    @Override
    public String describe() {
        return transports().describe();
    }

    private synchronized TransportProvider transports() {
        TransportProvider known = transports;
        if (known == null) {
            int java = Runtime.version().feature();
            if (java < LEAST_JAVA) {
                throw new IllegalStateException("the transport 'apr' needs Java " + LEAST_JAVA
                        + " or newer; this is Java " + java + ". Run on a newer one, or choose nio, nio2 or bio");
            }
            known = load();
            transports = known;
        }
        return known;
    }

    private static TransportProvider load() {
        try {
            return Class.forName(TRANSPORTS)
                    .asSubclass(TransportProvider.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("the JAR of the connector apr is incomplete", impossible);
        }
    }
}
