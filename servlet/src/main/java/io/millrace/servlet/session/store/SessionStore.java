package io.millrace.servlet.session.store;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the sessions of one application outside the server's memory: over a restart, or for several servers that share them. In
 * a shared store ({@code Keeping.SHARED}), a session is read for each request that uses it and written when the request ends; a
 * client's requests may be distributed over the servers. Writes are a compare-and-set of the version, so that no server overwrites
 * a version that it has not read.
 *
 * <p>Times are milliseconds since 1970 by the clocks of the servers, which should be synchronized. Implementations must be
 * thread-safe; their methods may block. The server guards each store ({@code storeTimeout}, {@code storeConcurrency}): calls
 * that take too long are given up, and a store that fails repeatedly is not asked for a while. If a session cannot be read, its
 * request gets 503; if it cannot be written, the failure is logged and the store keeps the old version.
 *
 * <p>{@code toString} names the store in messages. Each implementation should pass {@code SessionStoreContract}.
 */
public interface SessionStore {

    /**
     * A session for a request that begins.
     *
     * @param session as it was before the access; null if there is none. An expired session may be returned
     * @param isRecorded whether the store has the time of the access
     */
    record Access(@Nullable SessionRecord session, boolean isRecorded) {}

    /**
     * Limits the duration of a call. Called once, before all other methods.
     *
     * @return true if no later call that is about one session blocks for longer: such calls then run on the threads of their
     *     requests. Otherwise, and if they may look at all sessions, they run on threads of their own, so that a request can give
     *     up; the store may still limit what it waits for
     */
    default boolean limitCalls(Duration timeout) {
        return false;
    }

    /**
     * Returns the session of a key; null if there is none. An expired session may be returned.
     *
     * @param key any text, because clients send it: a store that uses it in a file name or a query must check or escape it
     * @throws IOException if the store cannot be read
     */
    @Nullable
    SessionRecord read(String key) throws IOException;

    /**
     * As {@link #read}, for a caller that has an earlier copy of the session, so that an unchanged one need not be transferred.
     *
     * @param known what was read or written before
     * @return if version and time of creation are those of {@code known}, it may be {@code known} with the time of the last access
     */
    default @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        return read(known.key());
    }

    /**
     * Returns a session for a request that begins, and records the access ({@link #touch}) if that costs no further call.
     *
     * @param known as of {@link #readIfNewer}; null: the caller has no copy
     * @param time of the access
     */
    default Access access(String key, @Nullable SessionRecord known, long time) throws IOException {
        return new Access(known == null ? read(key) : readIfNewer(known), false);
    }

    /**
     * Writes a session, if the store still has the version that the caller read.
     *
     * @param session its {@link SessionRecord#version} is the version to replace; 0: the store must have no session of this key.
     *     It is stored with the next version
     * @return false if the store has another version or none; nothing was written
     * @throws IOException if the store cannot be written
     */
    boolean write(SessionRecord session) throws IOException;

    /**
     * As {@link #write(SessionRecord)}, for stores that can write only what differs.
     *
     * @param base the version to replace, as it was read
     */
    default boolean write(SessionRecord session, SessionRecord base) throws IOException {
        return write(session);
    }

    /**
     * Updates the time of a session's last access, unless it has a later one, but not its version and attributes. Does nothing
     * if there is no such session, or it has expired at this time.
     *
     * @return true if there is such a session, and it has not expired
     */
    boolean touch(String key, long lastAccessed) throws IOException;

    /**
     * Removes a session.
     *
     * @return true for the one caller that removed it, which then notifies the listeners
     */
    boolean remove(String key) throws IOException;

    /**
     * Removes {@linkplain SessionRecord#expires expired} sessions and returns them, each to one caller only, which then notifies
     * the listeners. Each server calls it at most once a minute. A store that evicts sessions itself returns an empty list; no
     * listener is notified then.
     *
     * @param now milliseconds since 1970
     * @param most largest number of sessions to return; if so many are returned, the caller calls again
     */
    List<SessionRecord> takeExpired(long now, int most) throws IOException;

    /** The number of sessions, including expired ones. */
    int size() throws IOException;

    /**
     * Returns keys of sessions, in any order, including expired ones.
     *
     * @param most largest number of keys to return
     */
    List<String> keys(int most) throws IOException;

    /** Whether the store has no sessions, not even expired ones: the application can be removed without losing any. */
    default boolean isEmpty() throws IOException {
        return keys(1).isEmpty();
    }
}
