package io.millrace.client;

import io.millrace.io.Connection;

/** The client side of a protocol. Stateless; thread-safe. */
public interface ClientProtocol {

    /**
     * Starts the protocol on an established connection, after TLS if that is used: installs its handler and starts it.
     * Called by the connection's owner.
     *
     * @return an idle session
     * @throws ClientException if the server has not agreed to the protocol; the connection is then still the caller's
     */
    ClientSession open(Connection connection, SessionListener listener) throws ClientException;

    /**
     * The number of concurrent requests that a connection is expected to allow before it is open. If it is more than 1,
     * requests wait for a connection that is being opened instead of opening others.
     */
    default int streams() {
        return 1;
    }
}
