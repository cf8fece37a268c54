package io.millrace.websocket.jsr;

import java.util.HashSet;
import java.util.Set;
import javax.websocket.Session;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of one endpoint, for {@code Session.getOpenSessions}. Those who send to all of them ask for each message:
 * the set is copied only after one has come or gone. Any thread.
 */
public final class SessionGroup {

    // guarded by this
    private final Set<Session> sessions = new HashSet<>();
    private volatile @Nullable Set<Session> copy;

    synchronized void add(JsrSession session) {
        sessions.add(session);
        copy = null;
    }

    synchronized void remove(JsrSession session) {
        sessions.remove(session);
        copy = null;
    }

    /** A set that does not change any more. */
    public Set<Session> open() {
        Set<Session> known = copy;
        return known != null ? known : copied();
    }

    private synchronized Set<Session> copied() {
        Set<Session> made = Set.copyOf(sessions);
        copy = made;
        return made;
    }
}
