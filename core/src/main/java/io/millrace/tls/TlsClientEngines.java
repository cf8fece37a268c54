package io.millrace.tls;

import java.io.IOException;

/** Makes the engines of connections outwards. Any thread; must not block. */
public interface TlsClientEngines {

    /**
     * An engine for a new connection, in client mode.
     *
     * @param host the host that the peer's certificate must be for, sent as SNI unless it is an address: a host name
     *     (punycode), or an IPv4 or IPv6 address without brackets
     * @param port with the host, under which sessions are remembered for resumption
     */
    TlsEngine create(String host, int port) throws IOException;
}
