package io.millrace.servlet.session;

import io.millrace.ServerContext;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps an application's sessions between its requests. Thread-safe. */
interface SessionHome {

    /**
     * The home that the settings ask for.
     *
     * @param store null if sessions are kept in memory only
     * @param values null if servers share nothing beside sessions
     * @param jvmRoute null or empty if there is none
     * @throws IllegalArgumentException if it needs a route, and there is none
     */
    static SessionHome of(
            Sessions sessions,
            @Nullable StoreGuard store,
            @Nullable SharedValues values,
            SessionSettings settings,
            @Nullable String jvmRoute,
            ServerContext server) {
        if (store == null) {
            return new LocalSessions(sessions, null, settings);
        }
        return switch (settings.keeping()) {
            case MEMORY, RESTART -> new LocalSessions(sessions, store, settings);
            case SHARED -> new SharedSessions(sessions, store, settings);
            case STICKY -> {
                if (jvmRoute == null || jvmRoute.isEmpty()) {
                    throw new IllegalArgumentException(
                            "sticky sessions need a jvmRoute, which names this server in session"
                                    + " ids, and is another one on each server");
                }
                yield new StickySessions(sessions, store, Objects.requireNonNull(values), settings, jvmRoute, server);
            }
        };
    }

    /**
     * Called before a session is created.
     *
     * @throws SessionUnavailableException if it could not be stored
     */
    default void requireAvailable() {}

    /** Adds a new session, in use by the request that created it. */
    void add(LiveSession session);

    /**
     * Begins the use of a session by a request; null if there is no live session of this key.
     *
     * @param isOurs whether the id that the client sent has this server's route
     */
    @Nullable
    LiveSession enter(String key, boolean isOurs);

    /** Records an access by a request that may not use the session. Never blocks; false if a store has to be updated. */
    boolean touch(String key);

    /**
     * Ends the use of a session by a request.
     *
     * @throws SessionUnavailableException if what the request has changed is lost
     */
    void leave(LiveSession session);

    /** Changes the key of a session. */
    void rename(LiveSession session, String newKey);

    /**
     * Removes a session that the caller ends, so that no request finds it. False if another server has already ended it.
     *
     * @throws SessionUnavailableException if the store has not removed it yet
     */
    boolean close(LiveSession session);

    /** Called when a session has ended: its listeners have been notified, and its attributes removed. */
    void ended(LiveSession session);

    /** Ends expired sessions. Called periodically. */
    void sweep();

    /** Stops with the application. */
    void stop();

    /** The sessions in this server's memory, at this moment. */
    Collection<LiveSession> live();

    /** The number of sessions in this server's memory. */
    default int count() {
        return live().size();
    }

    /** False if there is certainly no session, so that no id can be valid. */
    boolean mayHaveAny();
}
