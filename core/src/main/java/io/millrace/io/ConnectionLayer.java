package io.millrace.io;

import java.util.function.Consumer;

/**
 * Something between the socket and the protocol: takes a connection and gives one. The PROXY protocol and TLS are layers;
 * a connector lists its layers from the socket upwards, and each works on every transport. Stateless: what belongs to one
 * connection lives in the connection that the layer gives.
 */
public interface ConnectionLayer {

    /**
     * Starts on a new connection: installs a handler of its own and sets it going. Called on the connection's own thread.
     *
     * @param below the connection as it comes; the layer's from now on
     * @param onReady called once, by the connection's owner, with the connection to go on with, when the layer has done
     *     what has to come first (a header, a handshake). Installs that connection's handler and sets it going before
     *     it returns. Never called if that fails: then the layer answers as it sees fit and closes the connection.
     */
    void open(Connection below, Consumer<Connection> onReady);
}
