package io.millrace.tls;

import java.io.IOException;

/** Makes the engines of connections outwards. Any thread; must not block. */
public interface TlsClientEngines extends AutoCloseable {

    /**
     * An engine for a new connection, in client mode.
     *
     * @param host the host that the peer's certificate must be for, sent as SNI unless it is an address: a host name
     *     (punycode), or an IPv4 or IPv6 address without brackets
     * @param port with the host, under which sessions are remembered for resumption
     */
    TlsEngine create(String host, int port) throws IOException;

    /**
     * Makes no more engines, and gives back what is held outside the Java heap; engines there are go on. Any thread, any number of
     * times. Who has no end to do it at may leave it to the garbage collector.
     */
    @Override
    default void close() {}
}
