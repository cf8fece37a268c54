package io.millrace.io.socket;

import java.util.concurrent.Executor;

/**
 * Connections whose handlers are called by the same thread, or the same threads.
 *
 * @param thread runs what is to be done to them
 * @param connections all of them
 * @param <C> the connections
 */
public record Crew<C extends SocketConnection<C>>(Executor thread, ConnectionList<C> connections) {

    /** Without a connection. */
    public Crew(Executor thread) {
        this(thread, new ConnectionList<>());
    }
}
