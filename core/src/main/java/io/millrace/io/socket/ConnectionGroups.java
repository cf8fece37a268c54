package io.millrace.io.socket;

import java.io.IOException;
import java.util.List;

/**
 * All open connections of an owner, grouped by the threads that call their handlers.
 *
 * @param all the groups
 * @param <C> the type of connections
 */
record ConnectionGroups<C extends SocketConnection<C>>(List<ConnectionGroup<C>> all) {

    /** The connections of a dialer. */
    static <C extends SocketConnection<C>> ConnectionGroups<C> of(SocketDialer.Parts<?, C> parts) {
        return new ConnectionGroups<>(parts.groups());
    }

    /** Notifies all handlers that the owner is draining. */
    void announce() {
        all.forEach(group ->
                group.connections().forEach(connection -> connection.life().notifyDrain()));
    }

    /** Lets every handler check its connection. New connections precede this task in their threads' queues. */
    void drain() {
        all.forEach(group -> group.thread().execute(() -> group.connections().forEach(SocketConnection::drain)));
    }

    /** Closes all connections, whatever they are doing. */
    void cut(IOException cause) {
        all.forEach(group ->
                group.thread().execute(() -> group.connections().forEach(connection -> connection.cut(cause))));
    }
}
