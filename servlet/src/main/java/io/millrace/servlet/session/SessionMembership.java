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

    /** Moves the session to a group; false if the group or the session has ended. */
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

    /** Leaves the group. Called once the session has ended or left memory. */
    synchronized void leave() {
        SessionGroup left = group;
        group = null;
        if (left != null) {
            left.left(session);
        }
    }

    /** The group; null if there is none. */
    synchronized @Nullable SessionGroup group() {
        return group;
    }
}
