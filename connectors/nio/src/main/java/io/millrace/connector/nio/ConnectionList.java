package io.millrace.connector.nio;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The open connections of one I/O thread, linked through themselves to save memory. For that thread only. */
final class ConnectionList {

    private @Nullable NioConnection first;

    void add(NioConnection connection) {
        NioConnection head = first;
        connection.following = head;
        if (head != null) {
            head.previous = connection;
        }
        first = connection;
    }

    void remove(NioConnection connection) {
        NioConnection before = connection.previous;
        NioConnection after = connection.following;
        if (before == null) {
            first = after;
        } else {
            before.following = after;
        }
        if (after != null) {
            after.previous = before;
        }
        connection.previous = null;
        connection.following = null;
    }

    /** The action may close connections: they are removed later, by a task of this thread. */
    void forEach(Consumer<NioConnection> action) {
        for (NioConnection each = first; each != null; each = each.following) {
            action.accept(each);
        }
    }
}
