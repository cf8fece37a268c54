package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users of Kerberos, in stores of other users … */
final class KerberosNamesTest {

    private static final Identity ANN = new Identity("ann", Set.of("clerk"));

    /** Knows ann, with the password "secret". */
    private static final IdentityStore STORE = new IdentityStore() {
        @Override
        public @Nullable Identity verify(String name, String password) {
            return verify(new Proof.Password(name, password));
        }

        @Override
        public @Nullable Identity verify(Proof proof) {
            return proof.name().equals("ann") && proof.matches("secret", PasswordFormat.detected()) ? ANN : null;
        }
    };

    @ParameterizedTest
    @CsvSource({
        "ann@EXAMPLE.ORG, ann",
        "ann/admin@EXAMPLE.ORG, ann/admin",
        "ann@OTHER.ORG@EXAMPLE.ORG, ann@OTHER.ORG",
        "ann, ann",
        "@EXAMPLE.ORG, @EXAMPLE.ORG",
    })
    void loseTheirRealmAndNothingElse(String principal, String name) {
        assertEquals(name, new Proof.Kerberos(principal).withoutRealm().name());
    }

    @Test
    void haveTheirRealmUnlessTheStoreIsWithout() {
        assertNull(STORE.verify(new Proof.Kerberos("ann@EXAMPLE.ORG")));
        IdentityStore without = IdentityStore.withoutKerberosRealm(STORE);
        assertEquals(ANN, without.verify(new Proof.Kerberos("ann@EXAMPLE.ORG")));
        assertNull(without.verify(new Proof.Kerberos("bob@EXAMPLE.ORG")));
        assertEquals(ANN, without.verify("ann", "secret"));
        assertNull(without.verify(new Proof.Password("ann@EXAMPLE.ORG", "secret")), "no ticket says so");
    }

    @Test
    void areNotLockedByGuessesOfOthers() {
        LockOut store = new LockOut(STORE, 1, Duration.ofHours(1));
        assertNull(store.verify("ann", "guess"));
        assertNull(store.verify("ann", "secret"), "locked");
        assertEquals(ANN, store.verify(new Proof.Kerberos("ann")));
    }

    @Test
    void areAllLetInWhereItIsEnoughToBeVerified() {
        IdentityStore any = IdentityStore.anyVerified();
        Identity bob = new Identity("bob", Set.of());
        assertEquals(bob, any.verify(new Proof.Kerberos("bob")));
        assertEquals(bob, any.verify(new Proof.Relayed("bob")));
        assertNull(any.verify("bob", ""));
        assertNull(any.verify(new Proof.Password("bob", "")));
        assertNull(any.verify(new Proof.Digest("bob", "r", DigestAlgorithm.MD5, "", "")));
    }
}
