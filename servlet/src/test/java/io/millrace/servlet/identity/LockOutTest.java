package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.servlet.session.store.SharedMap;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LockOutTest {

    private final AtomicLong now = new AtomicLong();
    private final LockOut lockOut = new LockOut(
            (name, password) -> password.equals("right") ? new Identity(name, Set.of()) : null,
            3,
            Duration.ofSeconds(10),
            100,
            now::get);

    @Test
    void refusesTheRightPasswordAfterTooManyWrongOnes() {
        fail(3);
        assertNull(lockOut.verify("a", "right"));
        assertNotNull(lockOut.verify("b", "right"));
    }

    @Test
    void tellsWhichNamesAreLocked() {
        fail(2);
        assertFalse(lockOut.isLocked("a"));
        fail(1);
        assertTrue(IdentityStore.anyOf(IdentityStore.NONE, lockOut).isLocked(" A "));
        assertFalse(lockOut.isLocked("b"));
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertFalse(lockOut.isLocked("a"));
    }

    @Test
    void forgetsFailuresAtASuccess() {
        fail(2);
        assertNotNull(lockOut.verify("a", "right"));
        fail(2);
        assertNotNull(lockOut.verify("a", "right"));
    }

    @Test
    void opensAgainWhenThePeriodIsOver() {
        fail(3);
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertNotNull(lockOut.verify("a", "right"));
    }

    @Test
    void countsAnewWhenThePeriodIsOver() {
        fail(3);
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        fail(2);
        assertNotNull(lockOut.verify("a", "right"));
    }

    @Test
    void remembersAsManyNamesAsItMay() {
        fail(3);
        for (int i = 0; i < 100; i++) {
            lockOut.verify("name" + i, "wrong");
        }
        assertNotNull(lockOut.verify("a", "right"));
    }

    /** A directory or database may take each of them for the same user. */
    @Test
    void countsTheSpellingsOfANameTogether() {
        for (String spelling : new String[] {"Ann  Lee", " ann lee", "a\u0301nn\u00a0le\u00ade"}) {
            assertNull(lockOut.verify(spelling, "wrong"));
        }
        assertNull(lockOut.verify("ann lee", "right"));
        assertNotNull(lockOut.verify("annlee", "right"));
    }

    /** It may be that of another user, who would otherwise guess passwords for ever. */
    @Test
    void forgetsNoFailuresAtASuccessUnderAnotherSpelling() {
        fail(2);
        assertNotNull(lockOut.verify("A", "right"));
        fail(1);
        assertNull(lockOut.verify("a", "right"));
    }

    private static LockOut on(FaultyStore store, int capacity) {
        return new LockOut(
                (name, password) -> password.equals("right") ? new Identity(name, Set.of()) : null,
                3,
                Duration.ofSeconds(60),
                capacity,
                new SharedMap(store),
                "users");
    }

    @Test
    void countsTheFailuresOfAllServersThatShareThem() {
        FaultyStore store = new FaultyStore();
        LockOut here = on(store, 100);
        LockOut there = on(store, 100);
        here.verify("a", "wrong");
        there.verify(" A", "wrong");
        assertNotNull(here.verify("b", "right"));
        here.verify("a", "wrong");
        assertNull(there.verify("a", "right"));
        assertNull(here.verify("a", "right"));
        there.verify("c", "wrong");
        there.verify("c", "wrong");
        assertNotNull(there.verify("c", "right"));
        here.verify("c", "wrong");
        assertNotNull(there.verify("c", "right"), "the failures before a success are forgotten everywhere");
    }

    @Test
    void countsByItselfWhileTheSharedFailuresCannotBeReached() {
        FaultyStore store = new FaultyStore();
        LockOut here = on(store, 100);
        store.down(true);
        for (int i = 0; i < 3; i++) {
            assertNull(here.verify("a", "wrong"));
        }
        assertNull(here.verify("a", "right"));
        assertNotNull(here.verify("b", "right"));
        store.down(false);
        assertNull(here.verify("a", "right"), "it stays locked here");
    }

    @Test
    void sharesAsManyNamesAsItMay() {
        FaultyStore store = new FaultyStore();
        LockOut here = on(store, 10);
        for (int i = 0; i < 100; i++) {
            here.verify("name" + i, "wrong");
        }
        assertEquals(10, store.sessions.size());
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            assertNull(lockOut.verify("a", "wrong"));
        }
    }
}
