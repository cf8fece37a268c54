package io.millrace.connector.bio;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open connections, linked through themselves to save memory. Any thread. */
final class ConnectionList {

    private @Nullable BioConnection first;

    synchronized void add(BioConnection connection) {
        BioConnection head = first;
        connection.following = head;
        if (head != null) {
            head.previous = connection;
        }
        first = connection;
    }

    synchronized void remove(BioConnection connection) {
        BioConnection before = connection.previous;
        BioConnection after = connection.following;
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

    synchronized List<BioConnection> snapshot() {
        List<BioConnection> open = new ArrayList<>();
        for (BioConnection each = first; each != null; each = each.following) {
            open.add(each);
        }
        return open;
    }
}
