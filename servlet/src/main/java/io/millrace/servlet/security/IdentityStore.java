package io.millrace.servlet.security;

import org.jspecify.annotations.Nullable;

/** Knows who may log in. Called by many threads at once; may block. */
@FunctionalInterface
public interface IdentityStore {

    /** Knows nobody. */
    IdentityStore NONE = (name, password) -> null;

    /** The identity, or null if the name or the password is wrong: which of them, nobody is told. */
    @Nullable
    Identity verify(String name, String password);
}
