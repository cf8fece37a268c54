package io.millrace.io.socket;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of an owner or thread, as an intrusive linked list. Thread-safe.
 *
 * @param <C> the type of connections
 */
public final class ConnectionList<C extends Linked<C>> {

    private @Nullable C first;

    /** An empty list. */
    public ConnectionList() {}

    /** Adds a connection that is in no list. */
    public synchronized void add(C connection) {
        C head = first;
        connection.following = head;
        if (head != null) {
            head.previous = connection;
        }
        first = connection;
    }

    /** Removes a connection that is in this list. */
    public synchronized void remove(C connection) {
        C before = connection.previous;
        C after = connection.following;
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

    /** Calls an action for each current connection; connections may be added and removed meanwhile. */
    public void forEach(Consumer<? super C> action) {
        snapshot().forEach(action);
    }

    /** The number of connections that a condition holds for; it must not call this list. */
    synchronized int count(Predicate<? super C> condition) {
        int count = 0;
        for (C each = first; each != null; each = each.following) {
            count += condition.test(each) ? 1 : 0;
        }
        return count;
    }

    private synchronized List<C> snapshot() {
        List<C> open = new ArrayList<>();
        for (C each = first; each != null; each = each.following) {
            open.add(each);
        }
        return open;
    }
}
