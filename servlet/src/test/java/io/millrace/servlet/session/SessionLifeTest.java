package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class SessionLifeTest {

    @Test
    void expiresWhenNobodyUsedItForItsTime() {
        SessionLife life = SessionLife.begun(0, 10);
        assertFalse(life.expire(1_000_000), "in use");
        life.leave(5_000);
        assertFalse(life.expire(14_999));
        assertTrue(life.enter(14_999));
        life.leave(15_000);
        assertFalse(life.enter(25_000), "too late");
        assertTrue(life.expire(25_000));
        assertFalse(life.expire(25_000), "once");
        assertFalse(life.isAlive());
        assertTrue(life.isUsable());
        life.end();
        assertFalse(life.isUsable());
    }

    @Test
    void neverExpiresWithoutATime() {
        for (int seconds : new int[] {0, -1}) {
            SessionLife life = SessionLife.begun(0, seconds);
            life.leave(0);
            assertFalse(life.expire(Long.MAX_VALUE / 2));
        }
    }

    @Test
    void remembersTheEndOfTheRequestBefore() {
        SessionLife life = SessionLife.begun(100, 10);
        assertTrue(life.isNew());
        assertEquals(100, life.lastAccessed());
        assertTrue(life.leave(150));
        assertTrue(life.enter(200));
        assertFalse(life.isNew());
        assertEquals(150, life.lastAccessed());
        assertTrue(life.enter(300));
        assertFalse(life.leave(350), "another request uses it");
        assertEquals(350, life.lastAccessed());
        assertEquals(100, life.created());
    }

    @Test
    void livesOnWhileRequestsComeThatDoNotAskForIt() {
        SessionLife life = SessionLife.begun(0, 3);
        life.leave(100);
        for (int second = 1; second <= 10; second++) {
            assertTrue(life.touch(100 + second * 1_000));
            assertFalse(life.expire(100 + second * 1_000 + 2_999));
        }
        assertTrue(life.enter(11_000));
        assertEquals(9_100, life.lastAccessed(), "the request before the last one");
        life.leave(11_500);
        assertFalse(life.touch(14_500), "too late");
        assertTrue(life.expire(14_500));
        assertFalse(life.touch(14_500));
    }

    @Test
    void staysInMemoryIfARequestComesWhileItIsBeingParked() {
        SessionLife life = SessionLife.begun(0, 1_000);
        life.leave(0);
        assertTrue(life.park(10_000, 10_000));
        assertTrue(life.touch(10_000));
        assertFalse(life.parked());
        assertFalse(life.park(19_999, 10_000));
    }

    @Test
    void isParkedUnlessSomebodyComesMeanwhile() {
        SessionLife life = SessionLife.begun(0, 1_000);
        assertFalse(life.park(60_000, 0), "in use");
        life.leave(0);
        assertFalse(life.park(9_999, 10_000));
        assertTrue(life.park(10_000, 10_000));
        assertTrue(life.enter(10_000));
        assertFalse(life.parked());
        life.leave(10_000);
        assertTrue(life.park(20_000, 10_000));
        assertTrue(life.parked());
        assertFalse(life.enter(20_000));
        assertFalse(life.isUsable());
    }

    @Test
    void admitsNobodyOnceItEnds() {
        SessionLife life = SessionLife.begun(0, 10);
        assertTrue(life.invalidate());
        assertFalse(life.invalidate());
        assertFalse(life.enter(1));
        life.end();
        assertFalse(life.enter(1));
        assertFalse(life.invalidate());
    }

    /** Either the request gets the session and it lives, or it is ended and the request gets nothing. */
    @Test
    void isEitherEnteredOrExpired() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 2_000; round++) {
                SessionLife life = SessionLife.begun(0, 1);
                life.leave(0);
                CyclicBarrier start = new CyclicBarrier(2);
                Future<Boolean> entered = threads.submit(() -> {
                    start.await();
                    return life.enter(999);
                });
                Future<Boolean> expired = threads.submit(() -> {
                    start.await();
                    return life.expire(1_000);
                });
                assertTrue(entered.get() ^ expired.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
