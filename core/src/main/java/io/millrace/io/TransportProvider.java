package io.millrace.io;

import java.io.IOException;
import java.util.List;

/**
 * Creates the transports of one kind; found by {@link java.util.ServiceLoader}. A server loads its own instance, so that
 * transports of one provider may share I/O threads, which end with the last transport.
 */
public interface TransportProvider {

    /** The name in server.xml and in code: {@code bio}, {@code nio}, {@code nio2}, {@code apr}. */
    String name();

    /**
     * Creates a transport that is not bound yet.
     *
     * @throws IllegalStateException if the transport does not work here (Java version, missing library); the message
     *     says what to install
     */
    Transport create(TransportOptions options);

    /**
     * Creates the client side. It shares the I/O threads of this provider's transports, and starts them if none are
     * running.
     *
     * @param options as for a transport; those for listening are ignored, including the maximum number of connections
     * @throws IOException if the I/O threads cannot be created
     * @throws IllegalStateException as for {@link #create}; or if the transport does not support outgoing connections
     */
    default Dialer dialer(TransportOptions options) throws IOException {
        throw new IllegalStateException(
                "the transport '" + name() + "' does not support outgoing connections; use nio");
    }

    /** The names of the event loops to choose from, the default first; empty if there is no choice. */
    default List<String> loops() {
        return List.of();
    }

    /**
     * The native library and version that the transport uses; empty if it uses none.
     *
     * @throws IllegalStateException as for {@link #create}
     */
    default String describe() {
        return "";
    }
}
