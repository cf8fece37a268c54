package io.millrace.io;

import java.util.function.Consumer;

/**
 * A layer between the socket and the protocol, which wraps a connection in another one: the PROXY protocol and TLS are
 * layers. A connector lists its layers from the socket upwards; each of them works on every transport. Stateless: the
 * state of a connection is kept in the connection that the layer creates.
 */
public interface ConnectionLayer {

    /**
     * Starts the layer on a new connection: installs a handler and calls its {@code onReadable}. Called on the
     * connection's own thread.
     *
     * @param below the connection below the layer, which owns it from now on
     * @param onReady called once by the connection's owner with the layer's connection, when the layer has completed
     *     what comes first (a header, a handshake). It installs that connection's handler and starts it before it returns.
     *     It is not called if the layer fails; the layer then closes the connection, after a response where that is
     *     possible.
     */
    void open(Connection below, Consumer<Connection> onReady);
}
