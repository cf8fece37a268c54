package io.millrace.client;

import io.millrace.io.Connection;

/** What is spoken with a server. Stateless; any thread. */
public interface ClientProtocol {

    /**
     * Begins on a connection that was dialled, and secured if it is to be: installs its handler and sets it going. By the
     * connection's owner.
     *
     * @return an idle session
     * @throws ClientException if the server has not agreed to the protocol; the connection is the caller's then
     */
    ClientSession open(Connection connection, SessionListener listener) throws ClientException;

    /**
     * How many requests a connection carries at a time, as far as this side knows before it is open. If it is more than one, requests
     * wait for a connection that is being opened instead of opening others.
     */
    default int streams() {
        return 1;
    }
}
