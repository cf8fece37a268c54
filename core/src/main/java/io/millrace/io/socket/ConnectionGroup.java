package io.millrace.io.socket;

import java.util.concurrent.Executor;

/**
 * The connections whose handlers are called by the same executor.
 *
 * @param thread the executor
 * @param connections the open connections
 * @param <C> the type of connections
 */
public record ConnectionGroup<C extends SocketConnection<C>>(Executor thread, ConnectionList<C> connections) {

    /** A group without connections. */
    public ConnectionGroup(Executor thread) {
        this(thread, new ConnectionList<>());
    }
}
