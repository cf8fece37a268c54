package io.millrace.connector.apr;

import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Provides the transport {@code apr}: non-blocking sockets of the Apache Portable Runtime, served by a few I/O threads. Only
 * this class and the module declaration are compiled for Java 17, so that a server on a Java before 22 can list the transport
 * and report what it needs. It therefore loads the implementation by name.
 */
public final class AprTransportProvider implements TransportProvider {

    private static final int MIN_JAVA = 22;
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
            if (java < MIN_JAVA) {
                throw new IllegalStateException("the transport 'apr' needs Java " + MIN_JAVA
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
