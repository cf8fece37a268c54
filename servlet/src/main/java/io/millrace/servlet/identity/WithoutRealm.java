package io.millrace.servlet.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes the realm from Kerberos principals. */
record WithoutRealm(IdentityStore store) implements IdentityStore {

    @Override
    public @Nullable Identity verify(String name, String password) {
        return store.verify(name, password);
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        return store.verify(proof instanceof Proof.Kerberos ticket ? ticket.withoutRealm() : proof);
    }

    @Override
    public boolean isLocked(String name) {
        return store.isLocked(name);
    }

    @Override
    public List<String> reload() {
        return store.reload();
    }
}
