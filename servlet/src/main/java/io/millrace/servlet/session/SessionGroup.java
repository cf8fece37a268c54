package io.millrace.servlet.session;

import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Sessions, usually of several applications, that are invalidated together: if an application invalidates one of them, all end.
 * Implementations are thread-safe. {@link #add} and {@link #left} are called with a session's lock held, so they must not block
 * or call sessions.
 */
public interface SessionGroup {

    /** The name under which other servers find the group; null if only this one knows it. */
    default @Nullable String name() {
        return null;
    }

    /**
     * Whether the group has ended, so that its sessions must not be used any more. May block, if other servers know the group.
     *
     * @param idleSeconds how long the session that is to be used may be idle, which the group outlasts; 0 or less: for ever
     * @throws SessionUnavailableException if it cannot be known now
     */
    boolean isOver(int idleSeconds);

    /** Adds a session. Returns false if the group has ended. */
    boolean add(HttpSession session);

    /** Removes a session that has expired, joined another group, or whose application stops. The others are not affected. */
    void left(HttpSession session);

    /**
     * Invalidates all sessions of the group and notifies their listeners, on the calling thread.
     *
     * @throws SessionUnavailableException if the group has ended here, but possibly not yet on other servers
     */
    void end();
}
