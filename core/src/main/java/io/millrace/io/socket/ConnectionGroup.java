package io.millrace.io.socket;

import java.util.concurrent.Executor;

/**
 * The connections whose handlers are called by the same executor.
 *
 * @param thread runs tasks that concern them
 * @param connections all open ones
 * @param <C> the connections
 */
public record ConnectionGroup<C extends SocketConnection<C>>(Executor thread, ConnectionList<C> connections) {

    /** A group without connections. */
    public ConnectionGroup(Executor thread) {
        this(thread, new ConnectionList<>());
    }
}
