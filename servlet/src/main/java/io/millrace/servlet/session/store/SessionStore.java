package io.millrace.servlet.session.store;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions outside the server that uses them: over a restart, or for several servers at once. Nothing here assumes
 * that a client's requests come to the same server: a session is read when a request brings its key, and written when the
 * request ends, by compare and set, so that no server overwrites what it has not seen.
 *
 * <p>Times are milliseconds since 1970 and come from the servers, whose clocks should agree. All methods may be called from
 * any thread, several at a time, and may block. What a store throws is logged by its caller: a session that can't be read
 * fails its request, one that can't be written keeps its old state.
 *
 * <p>A store is one application's. Each implementation should pass {@code SessionStoreContract}.
 */
public interface SessionStore {

    /**
     * The session of this key; null if there is none. One that has expired may still be returned.
     *
     * @param key as a client sent it: any text. A store that makes a file name or a query of it must check or escape it
     */
    @Nullable
    SessionRecord read(String key) throws IOException;

    /**
     * Replaces a session, if it is still the one the caller read.
     *
     * @param session {@link SessionRecord#version} is the version it replaces: 0 if there must be none of its key. What is
     *     stored has the next version
     * @return false if another version is stored, or none: nothing was written
     */
    boolean write(SessionRecord session) throws IOException;

    /** Notes that a session was used. Changes neither its version nor its attributes; does nothing if it is gone. */
    void touch(String key, long lastAccessed) throws IOException;

    /**
     * Ends a session.
     *
     * @return true for the one caller who did: it tells the listeners
     */
    boolean remove(String key) throws IOException;

    /**
     * Removes sessions that have {@linkplain SessionRecord#expires expired} and hands them to the caller, each to one caller
     * only, which tells the listeners. Called once a minute or so by each server. A store that lets sessions vanish by
     * itself returns none; then no listener is notified.
     *
     * @param most how many at a time
     */
    List<SessionRecord> takeExpired(long now, int most) throws IOException;

    /** True if it has no session, expired ones included: nobody would lose anything if its application went. */
    boolean isEmpty() throws IOException;
}
