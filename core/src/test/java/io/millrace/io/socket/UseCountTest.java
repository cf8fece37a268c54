package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class UseCountTest {

    private final UseCount gate = new UseCount();

    @Test
    void tellsTheEndToTheCloserIfNobodyIsInside() {
        assertTrue(gate.enter());
        assertFalse(gate.leave());
        gate.close();
        assertTrue(gate.leave());
    }

    @Test
    void tellsTheEndToTheLastWhoLeavesAfterTheClose() {
        gate.enter();
        gate.enter();
        gate.close();
        assertFalse(gate.leave(), "the closer");
        assertFalse(gate.leave());
        assertTrue(gate.leave());
    }

    @Test
    void letsNobodyInAfterTheClose() {
        gate.enter();
        gate.close();
        assertFalse(gate.enter());
    }

    @Test
    void tellsTheEndOnceHoweverEnteringLeavingAndClosingRace() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        for (int round = 0; round < 1_000; round++) {
            UseCount raced = new UseCount();
            AtomicInteger ends = new AtomicInteger();
            AtomicInteger inside = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(3);
            for (int t = 0; t < 2; t++) {
                threads.execute(() -> {
                    for (int i = 0; i < 50 && raced.enter(); i++) {
                        inside.incrementAndGet();
                        inside.decrementAndGet();
                        ends.addAndGet(raced.leave() ? 1 + 100 * inside.get() : 0);
                    }
                    done.countDown();
                });
            }
            threads.execute(() -> {
                raced.close();
                ends.addAndGet(raced.leave() ? 1 + 100 * inside.get() : 0);
                done.countDown();
            });
            assertTrue(done.await(20, TimeUnit.SECONDS));
            assertEquals(1, ends.get(), "once, without users");
        }
        threads.shutdown();
    }
}
