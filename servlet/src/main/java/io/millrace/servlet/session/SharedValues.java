package io.millrace.servlet.session;

import io.millrace.io.Timers;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.servlet.session.store.SharedMap;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What servers share beside sessions, behind a guard: a store that fails or hangs costs a call half a second at most, and is not
 * asked for a while then. Close it when nothing uses its map any more. Thread-safe.
 */
public final class SharedValues implements AutoCloseable {

    /** Logins and requests wait for it, and each use says what happens without an answer. */
    static final Duration TIMEOUT = Duration.ofMillis(500);

    private static final int MAX_CALLS = 50;

    private final StoreGuard guard;
    private final SharedMap map;

    /**
     * Guards a store.
     *
     * @param store used for nothing else
     * @param user for log messages: the application, or what else uses it
     * @param timers for probes
     */
    public SharedValues(SessionStore store, String user, Timers timers) {
        guard = new StoreGuard(store, user, TIMEOUT, MAX_CALLS, timers, System::nanoTime);
        map = new SharedMap(guard);
    }

    /** Null if there is no store. */
    static @Nullable SharedValues of(@Nullable SessionStore store, String application, Timers timers) {
        return store == null ? null : new SharedValues(store, application, timers);
    }

    /** The values. Its methods throw {@link java.io.IOException} while the store does not answer. */
    public SharedMap map() {
        return map;
    }

    StoreGuard guard() {
        return guard;
    }

    @Override
    public void close() {
        guard.close();
    }
}
