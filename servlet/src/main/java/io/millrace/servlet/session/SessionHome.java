package io.millrace.servlet.session;

import org.jspecify.annotations.Nullable;

/** Where an application's sessions are between its requests. Any thread. */
interface SessionHome {

    /** A new one, used by the request that made it. */
    void add(LiveSession session);

    /** The session of this key, used by one more request from here on; null if there is none that lives. */
    @Nullable
    LiveSession enter(String key);

    /** A request that may use it begins. Never blocks; false if a store has to be told of it. */
    boolean touch(String key);

    /** A request that used it ends. */
    void leave(LiveSession session);

    /** Gives it another key. */
    void rename(LiveSession session, String newKey);

    /** It is being ended, by the caller alone: no request finds it from here on. False if another server was first. */
    boolean close(LiveSession session);

    /** Its listeners have been notified, and its attributes removed. */
    void ended(LiveSession session);

    /** Called now and then: ends those that were idle for too long. */
    void sweep();

    /** The application stops. */
    void stop();

    /** Sessions in this server's memory. */
    int count();

    /** False if no id can be valid. */
    boolean mayHaveAny();
}
