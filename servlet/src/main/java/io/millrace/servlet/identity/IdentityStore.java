package io.millrace.servlet.identity;

import org.jspecify.annotations.Nullable;

/**
 * Knows who may log in. Called by many threads at once; may block. Whoever takes part in DIGEST or client certificates
 * overrides {@link #verify(Proof)}; the rest need {@link #verify(String, String)} alone.
 */
@FunctionalInterface
public interface IdentityStore {

    /** Has no users. */
    IdentityStore NONE = (name, password) -> null;

    /**
     * The identity, or null if the name or the password is wrong: which of them is not disclosed.
     *
     * @throws StoreUnavailableException if it can't be known now; the client is answered 503
     */
    @Nullable
    Identity verify(String name, String password);

    /**
     * The same for any proof. A store that answers passwords only knows no others.
     *
     * @throws StoreUnavailableException if it can't be known now
     */
    default @Nullable Identity verify(Proof proof) {
        return proof instanceof Proof.Password password ? verify(password.name(), password.password()) : null;
    }

    /** Asks one store after the other until one knows the proof, as Tomcat's CombinedRealm. */
    static IdentityStore anyOf(IdentityStore... stores) {
        return new AnyOf(java.util.List.of(stores));
    }

    /**
     * Asks a store for the users of Kerberos by names without their realm, as Tomcat's {@code stripRealmForGss}. All realms
     * that the server's own one trusts are one to it.
     */
    static IdentityStore withoutKerberosRealm(IdentityStore store) {
        return new WithoutRealm(store);
    }

    /**
     * Takes whoever was verified by somebody else (a certificate, a Kerberos ticket, a front end's word), as Tomcat's
     * AuthenticatedUserRealm, without any roles. Nobody logs in to it with a password.
     */
    static IdentityStore anyVerified() {
        return AnyVerified.INSTANCE;
    }
}
