package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stores in stores. */
final class IdentityStoreTest {

    private static final Identity ANN = new Identity("ann", Set.of());

    private final IdentityStore down = (name, password) -> {
        throw new StoreUnavailableException("down", new IOException("down"));
    };
    private final IdentityStore ann = (name, password) -> name.equals("ann") && password.equals("right") ? ANN : null;

    @Test
    void asksOneAfterTheOther() {
        IdentityStore both = IdentityStore.anyOf(IdentityStore.NONE, ann);
        assertEquals(ANN, both.verify("ann", "right"));
        assertNull(both.verify("ann", "wrong"));
    }

    @Test
    void goesOnWithoutAStoreThatIsDown() {
        IdentityStore both = IdentityStore.anyOf(down, ann);
        assertEquals(ANN, both.verify("ann", "right"));
        assertThrows(StoreUnavailableException.class, () -> both.verify("bob", "right"));
    }

    @Test
    void countsNoFailureWhileAStoreIsDown() {
        boolean[] up = {false};
        LockOut lockOut = new LockOut(
                (name, password) -> up[0] ? ann.verify(name, password) : down.verify(name, password),
                1,
                Duration.ofMinutes(1));
        for (int i = 0; i < 3; i++) {
            assertThrows(StoreUnavailableException.class, () -> lockOut.verify("ann", "right"));
        }
        up[0] = true;
        assertEquals(ANN, lockOut.verify("ann", "right"));
    }

    @Test
    void knowsPasswordsOnlyUnlessItSaysMore() {
        assertEquals(ANN, ann.verify(new Proof.Password("ann", "right")));
        assertNull(ann.verify(new Proof.Digest("ann", "r", DigestAlgorithm.MD5, "rest", "response")));
    }
}
