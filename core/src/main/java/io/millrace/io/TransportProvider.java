package io.millrace.io;

import java.io.IOException;
import java.util.List;

/**
 * Makes the transports of one kind; found by {@link java.util.ServiceLoader}. A server loads its own instance, so
 * transports of one provider may share threads; they end with the last transport.
 */
public interface TransportProvider {

    /** The name in server.xml and in code: {@code bio}, {@code nio}, {@code nio2}, {@code apr}. */
    String name();

    /**
     * A transport that is not bound yet.
     *
     * @throws IllegalStateException if it cannot work here (Java version, missing library), saying what to install
     */
    Transport create(TransportOptions options);

    /**
     * The client side. It shares the threads of this provider's transports, and starts them if there are none.
     *
     * @param options as for a transport; what concerns listening is ignored, the limit of connections included
     * @throws IOException if the threads cannot be started
     * @throws IllegalStateException as {@link #create} would; or if this transport only accepts
     */
    default Dialer dialer(TransportOptions options) throws IOException {
        throw new IllegalStateException("the transport '" + name() + "' cannot connect to others; choose nio");
    }

    /** The names of the event loops it offers, its own choice first; empty if there is nothing to choose. */
    default List<String> loops() {
        return List.of();
    }

    /**
     * What its transports are built on, where that depends on the machine: a library and its version. Empty otherwise.
     *
     * @throws IllegalStateException as {@link #create} would
     */
    default String describe() {
        return "";
    }
}
