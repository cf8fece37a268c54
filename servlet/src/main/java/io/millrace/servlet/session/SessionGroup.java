package io.millrace.servlet.session;

import javax.servlet.http.HttpSession;

/**
 * Sessions, mostly of several applications, that end together where an application ends one of them. Any thread. {@link #add}
 * and {@link #left} are called with a session's lock held: they neither block nor call sessions.
 */
public interface SessionGroup {

    /** One more session; false if the group has ended. */
    boolean add(HttpSession session);

    /** A session has expired, its application stops, or it is in another group now: the others stay. */
    void left(HttpSession session);

    /** Ends all of its sessions and tells their listeners. */
    void end();
}
