package io.millrace.io.socket;

import java.io.IOException;
import java.util.List;

/**
 * All open connections of an owner, by the threads that call their handlers.
 *
 * @param all the groups
 * @param <C> the connections
 */
record ConnectionGroups<C extends SocketConnection<C>>(List<ConnectionGroup<C>> all) {

    /** Those of a dialer. */
    static <C extends SocketConnection<C>> ConnectionGroups<C> of(SocketDialer.Parts<?, C> parts) {
        return new ConnectionGroups<>(parts.groups());
    }

    /** Notifies every connection's handler that its owner drains. */
    void announce() {
        all.forEach(group ->
                group.connections().forEach(connection -> connection.life().tellDrain()));
    }

    /** Lets every handler check its connection; those that came last are ahead of this in their threads' queues. */
    void drain() {
        all.forEach(group -> group.thread().execute(() -> group.connections().forEach(SocketConnection::drain)));
    }

    /** Ends all connections, in the midst of whatever they do. */
    void cut(IOException cause) {
        all.forEach(group ->
                group.thread().execute(() -> group.connections().forEach(connection -> connection.cut(cause))));
    }
}
