package io.millrace.servlet.identity;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Accepts every user whom somebody else has verified. */
enum AnyVerified implements IdentityStore {
    INSTANCE;

    @Override
    public @Nullable Identity verify(String name, String password) {
        return null;
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        boolean valid = proof.isVerified() && proof.matches("", PasswordFormat.detected());
        return valid ? new Identity(proof.name(), Set.of()) : null;
    }
}
