package io.millrace.websocket.jsr;

import java.util.HashSet;
import java.util.Set;
import javax.websocket.Session;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of one endpoint, for {@code Session.getOpenSessions}. Applications that broadcast call it for each message,
 * so the set is copy only after it has changed. Thread-safe.
 */
public final class EndpointSessions {

    // guarded by this
    private final Set<Session> sessions = new HashSet<>();
    private volatile @Nullable Set<Session> copy;

    synchronized void add(Session session) {
        sessions.add(session);
        copy = null;
    }

    synchronized void remove(Session session) {
        sessions.remove(session);
        copy = null;
    }

    /** An immutable snapshot. */
    public Set<Session> open() {
        Set<Session> known = copy;
        return known != null ? known : copy();
    }

    private synchronized Set<Session> copy() {
        Set<Session> made = Set.copyOf(sessions);
        copy = made;
        return made;
    }
}
