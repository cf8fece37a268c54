package io.millrace.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.SharedMap;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NoncesTest {

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final Nonces nonces = new Nonces(Duration.ofSeconds(10), 2, now::get, null);

    @Test
    void takesEachCountOnce() {
        String nonce = nonces.issue();
        assertNotEquals(nonce, nonces.issue());
        for (long count : new long[] {3, 1, 2, 70, 69, 7}) {
            assertTrue(nonces.use(nonce, count), () -> "count " + count);
            assertFalse(nonces.use(nonce, count), () -> "count " + count + " again");
        }
        assertFalse(nonces.use(nonce, 6), "too far behind to know");
        assertFalse(nonces.use(nonce, 0));
        assertTrue(nonces.use(nonce, 0xffff_ffffL));
        assertFalse(nonces.use(nonce, 70));
    }

    @Test
    void takesANonceWhileItIsValid() {
        String nonce = nonces.issue();
        now.addAndGet(9_999);
        assertTrue(nonces.use(nonce, 1));
        now.addAndGet(1);
        assertFalse(nonces.use(nonce, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void takesNoNonceOfOthers(String nonce) {
        assertFalse(nonces.use(nonce, 1));
        assertFalse(new Nonces(Duration.ofSeconds(10), 2, now::get, null).use(nonces.issue(), 1), "another server's");
    }

    @Test
    void takesNoChangedNonce() {
        String nonce = nonces.issue();
        for (int i = 0; i < nonce.length() - 1; i++) {
            char other = nonce.charAt(i) == 'A' ? 'B' : 'A';
            assertFalse(nonces.use(nonce.substring(0, i) + other + nonce.substring(i + 1), 1));
        }
        assertTrue(nonces.use(nonce, 1));
    }

    /** A forgotten nonce could have been used before: those as old as it are not begun any more. */
    @Test
    void forgetsTheOldestAndTakesNoneAsOldAsIt() {
        String first = nonces.issue();
        String unused = nonces.issue();
        assertTrue(nonces.use(first, 1));
        for (int i = 0; i < 2; i++) {
            now.addAndGet(1);
            assertTrue(nonces.use(nonces.issue(), 1));
        }
        assertFalse(nonces.use(first, 1), "replayed");
        assertFalse(nonces.use(first, 2));
        assertFalse(nonces.use(unused, 1));
        assertEquals(1_000_002, now.get());
        assertTrue(nonces.use(nonces.issue(), 1));
    }

    private Nonces on(FaultyStore store) {
        return new Nonces(Duration.ofSeconds(10), 2, now::get, new SharedMap(store));
    }

    @Test
    void takesEachCountOnceOnAllServersThatShareThem() {
        FaultyStore store = new FaultyStore();
        Nonces here = on(store);
        Nonces there = on(store);
        String nonce = here.issue();
        assertEquals(here.opaque(), there.opaque());
        assertTrue(there.use(nonce, 2));
        assertFalse(here.use(nonce, 2), "replayed");
        assertTrue(here.use(nonce, 1));
        assertTrue(here.use(nonce, 3));
        assertFalse(there.use(nonce, 1));
        assertTrue(there.use(here.issue(), 1), "more than it would store by itself");
        assertTrue(there.use(here.issue(), 1));
        assertFalse(there.use(nonce, 3));
        assertFalse(nonces.use(nonce, 4), "of a server that does not share them");
        now.addAndGet(10_000);
        assertFalse(there.use(nonce, 5));
    }

    @Test
    void takesNoneWhileTheSharedOnesCannotBeCounted() {
        FaultyStore store = new FaultyStore();
        Nonces here = on(store);
        String nonce = here.issue();
        store.down(true);
        assertThrows(StoreUnavailableException.class, () -> here.use(nonce, 1));
        assertThrows(StoreUnavailableException.class, () -> on(store).issue());
        store.down(false);
        assertTrue(here.use(nonce, 1));
    }
}
