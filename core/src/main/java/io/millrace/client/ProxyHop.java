package io.millrace.client;

import io.millrace.io.Connection;
import java.util.function.Consumer;

/** Asks a proxy for a tunnel to a server, on a new connection to it. Stateless; thread-safe. */
@FunctionalInterface
public interface ProxyHop {

    /**
     * Asks for the tunnel. Called by the connection's owner; does not block.
     *
     * @param onOpen receives the connection when its bytes are those of the server; installs a handler and starts it
     * @param onFailed receives the reason if there is no tunnel; the connection is closed. Exactly one of both is called, once
     */
    void pass(Connection connection, Consumer<Connection> onOpen, Consumer<Throwable> onFailed);
}
