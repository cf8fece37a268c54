package io.millrace.servlet.identity;

import org.jspecify.annotations.Nullable;

/** Compares proofs with what a store keeps, and takes as long if it keeps nothing: the time tells nobody which names exist. */
final class StoredPasswords {

    private final PasswordFormat format;

    /** Somebody's stored password, compared where there is none. */
    private volatile String decoy = "";

    StoredPasswords(PasswordFormat format) {
        this.format = format;
    }

    /** Remembers the kind of stored passwords there are. */
    void seen(String stored) {
        decoy = stored;
    }

    /**
     * True if the proof matches.
     *
     * @param stored null: there is no such user
     */
    boolean matches(Proof proof, @Nullable String stored) {
        boolean matches = proof.matches(stored == null ? decoy : stored, format);
        return stored != null && matches;
    }
}
