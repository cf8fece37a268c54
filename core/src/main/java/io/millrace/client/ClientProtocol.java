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

    /** Does a connection carry several requests at a time? Then who asks for one waits for one that is being opened. */
    default boolean isShared() {
        return false;
    }
}
