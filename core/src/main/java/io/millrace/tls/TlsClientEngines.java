package io.millrace.tls;

import java.io.IOException;

/** Creates the engines of outgoing connections. Thread-safe; must not block. */
public interface TlsClientEngines extends AutoCloseable {

    /**
     * Creates an engine for a new connection, in client mode.
     *
     * @param host the host for which the peer's certificate must be valid; sent as SNI unless it is an address. A host
     *     name (punycode), or an IPv4 or IPv6 address without brackets
     * @param port together with the host, identifies sessions that can be resumed
     */
    TlsEngine create(String host, int port) throws IOException;

    /**
     * Creates no further engines, and releases memory outside the Java heap; existing engines are not affected. Any
     * thread, possibly more than once. If it is not called, the garbage collector releases the memory.
     */
    @Override
    default void close() {}
}
