package io.millrace.connector.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one I/O thread, linked through themselves to save memory. Changed by that thread only; the lock is
 * for the one that stops the transport and looks in from outside.
 */
final class ConnectionList {

    private @Nullable NioConnection first;

    synchronized void add(NioConnection connection) {
        NioConnection head = first;
        connection.following = head;
        if (head != null) {
            head.previous = connection;
        }
        first = connection;
    }

    synchronized void remove(NioConnection connection) {
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

    /** Those open now. Any thread. */
    synchronized List<NioConnection> snapshot() {
        List<NioConnection> open = new ArrayList<>();
        for (NioConnection each = first; each != null; each = each.following) {
            open.add(each);
        }
        return open;
    }

    /** On the I/O thread. The action may close connections: they are removed later, by a task of this thread. */
    void forEach(Consumer<NioConnection> action) {
        for (NioConnection each = first; each != null; each = each.following) {
            action.accept(each);
        }
    }
}
