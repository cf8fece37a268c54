package io.millrace.servlet.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several stores: the first that accepts a proof decides. An unavailable store is reported only if no other accepts it. */
record AnyOf(List<IdentityStore> stores) implements IdentityStore {

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        StoreUnavailableException unavailable = null;
        for (IdentityStore store : stores) {
            try {
                Identity identity = store.verify(proof);
                if (identity != null) {
                    return identity;
                }
            } catch (StoreUnavailableException e) {
                unavailable = e;
            }
        }
        if (unavailable != null) {
            throw unavailable;
        }
        return null;
    }

    @Override
    public boolean isLocked(String name) {
        return stores.stream().anyMatch(store -> store.isLocked(name));
    }

    @Override
    public List<String> reload() {
        return stores.stream().flatMap(store -> store.reload().stream()).toList();
    }
}
