package io.millrace.connector.nio2;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open connections of one transport, linked through themselves to save memory. Any thread. */
final class ConnectionList {

    private @Nullable Nio2Connection first;

    synchronized void add(Nio2Connection connection) {
        Nio2Connection head = first;
        connection.following = head;
        if (head != null) {
            head.previous = connection;
        }
        first = connection;
    }

    synchronized void remove(Nio2Connection connection) {
        Nio2Connection before = connection.previous;
        Nio2Connection after = connection.following;
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

    /** Those open now. */
    synchronized List<Nio2Connection> snapshot() {
        List<Nio2Connection> open = new ArrayList<>();
        for (Nio2Connection each = first; each != null; each = each.following) {
            open.add(each);
        }
        return open;
    }
}
