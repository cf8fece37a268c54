package io.millrace.servlet.security;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses a name for a while after repeated failures, right password or not. */
@SuppressWarnings("DoNotCallSuggester")
public final class LockOut implements IdentityStore {

    /**
     * Wraps a store.
     *
     * @param failures in a row before the name is locked
     * @param period how long it stays so
     */
    public LockOut(IdentityStore store, int failures, Duration period) {}

    /** Five failures, five minutes, as Tomcat's LockOutRealm. */
    public static LockOut around(IdentityStore store) {
        return new LockOut(store, 5, Duration.ofMinutes(5));
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        throw new UnsupportedOperationException();
    }
}
