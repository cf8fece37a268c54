package io.millrace.standalone.config.realm;

import io.millrace.servlet.identity.IdentityStore;

/** Tomcat's AuthenticatedUserRealm, which admits whom a certificate or a ticket has verified, and its NullRealm, which admits nobody. */
public final class FixedRealm extends RealmKind {

    private final IdentityStore store;

    private FixedRealm(String name, IdentityStore store) {
        super(name);
        this.store = store;
    }

    static FixedRealm authenticated() {
        return new FixedRealm("AuthenticatedUserRealm", IdentityStore.anyVerified());
    }

    static FixedRealm nobody() {
        return new FixedRealm("NullRealm", IdentityStore.NONE);
    }

    @Override
    IdentityStore make(Realm realm, Resources resources) {
        return store;
    }
}
