package io.millrace.servlet.session;

import javax.servlet.http.HttpSession;

/**
 * Sessions, usually of several applications, that are invalidated together: if an application invalidates one of them, all end.
 * Implementations are thread-safe. {@link #add} and {@link #left} are called with a session's lock held, so they must not block
 * or call sessions.
 */
public interface SessionGroup {

    /** Adds a session. Returns false if the group has ended. */
    boolean add(HttpSession session);

    /** Removes a session that has expired, joined another group, or whose application stops. The others are not affected. */
    void left(HttpSession session);

    /** Invalidates all sessions of the group and notifies their listeners, on the calling thread. */
    void end();
}
