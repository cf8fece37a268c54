package io.millrace.servlet.session;

import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** The group of a session. Thread-safe. */
final class SessionMembership {

    private final HttpSession session;
    private final SessionLife life;
    private @Nullable SessionGroup group;

    SessionMembership(HttpSession session, SessionLife life) {
        this.session = session;
        this.life = life;
    }

    /** Leaves the group it is in for another one; false if that has ended, or the session has. */
    synchronized boolean join(SessionGroup next) {
        if (!life.isAlive()) {
            return false; // the thread that ends the session calls leave, which takes this lock
        }
        if (next.equals(group)) {
            return true;
        }
        leave();
        if (!next.add(session)) {
            return false;
        }
        group = next;
        return true;
    }

    /** The session ends, or leaves memory: called after its life has ended. */
    synchronized void leave() {
        SessionGroup left = group;
        group = null;
        if (left != null) {
            left.left(session);
        }
    }

    /** Null if it is in none. */
    synchronized @Nullable SessionGroup group() {
        return group;
    }
}
