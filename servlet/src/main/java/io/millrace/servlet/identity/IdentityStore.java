package io.millrace.servlet.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the credentials of users, as a Tomcat Realm does. Many threads call it at the same time; it may block. A store that
 * supports only passwords implements {@link #verify(String, String)}; one that also supports DIGEST, client certificates or
 * Kerberos overrides {@link #verify(Proof)}.
 */
@FunctionalInterface
public interface IdentityStore {

    /** A store without users. */
    IdentityStore NONE = (name, password) -> null;

    /**
     * Verifies a password.
     *
     * @return the user's identity; null if the name or the password is wrong, without saying which of them
     * @throws StoreUnavailableException if the store cannot verify it now: the response is 503
     */
    @Nullable
    Identity verify(String name, String password);

    /**
     * Verifies a proof of any kind. By default only passwords are accepted.
     *
     * @return the user's identity; null if the proof is wrong or of a kind that the store does not support
     * @throws StoreUnavailableException if the store cannot verify it now: the response is 503
     */
    default @Nullable Identity verify(Proof proof) {
        return proof instanceof Proof.Password password ? verify(password.name(), password.password()) : null;
    }

    /**
     * Whether logins with this name are refused at present, whatever the password, because too many have failed. Asked after a refusal,
     * to count it.
     */
    default boolean isLocked(String name) {
        return false;
    }

    /**
     * Reads the users again that the store keeps in memory. May block.
     *
     * @return for each of its files, a line that says what was read, or why the users stay as they were; empty without files
     */
    default List<String> reload() {
        return List.of();
    }

    /** A store that tries several stores in order until one accepts the proof, as Tomcat's CombinedRealm does. */
    static IdentityStore anyOf(IdentityStore... stores) {
        return new AnyOf(List.of(stores));
    }

    /**
     * A store that removes the realm from Kerberos principals before it calls another store, as Tomcat's {@code stripRealmForGss}
     * does. Principals of the same name in different trusted realms are the same user then.
     */
    static IdentityStore withoutKerberosRealm(IdentityStore store) {
        return new WithoutRealm(store);
    }

    /**
     * A store that accepts every user who was verified elsewhere (by a client certificate, a Kerberos ticket or a front end),
     * without roles, as Tomcat's AuthenticatedUserRealm does. It accepts no passwords.
     */
    static IdentityStore anyVerified() {
        return AnyVerified.INSTANCE;
    }
}
