package io.millrace.connector.nio2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class AcceptGateTest {

    @Test
    void waitsAtItsLimitUntilAConnectionCloses() throws Exception {
        AcceptGate gate = new AcceptGate("test", 2);
        assertTrue(gate.enter());
        assertTrue(gate.enter());
        CompletableFuture<Boolean> opened = awaitOpen(gate);
        assertFalse(opened.isDone());
        assertFalse(gate.leave());
        assertTrue(Deadline.await(opened));
        assertEquals(1, gate.inside());
        assertTrue(gate.leave(), "the last one");
    }

    @Test
    void keepsTheOneAcceptedWhilePausedWaiting() throws Exception {
        AcceptGate gate = new AcceptGate("test", -1);
        gate.pause();
        CompletableFuture<Boolean> entered = new CompletableFuture<>();
        started(() -> entered.complete(gate.enter()));
        assertFalse(entered.isDone());
        assertEquals(0, gate.inside());
        gate.resume();
        assertTrue(Deadline.await(entered));
        assertEquals(1, gate.inside());
    }

    @Test
    void letsNobodyInOnceClosedEvenWhilePaused() throws Exception {
        AcceptGate gate = new AcceptGate("test", -1);
        gate.pause();
        CompletableFuture<Boolean> opened = awaitOpen(gate);
        gate.close();
        assertFalse(Deadline.await(opened));
        assertFalse(gate.enter());
        assertEquals(0, gate.inside());
    }

    @Test
    void restsAfterAFailureThenTriesAgain() {
        AcceptGate gate = new AcceptGate("test", -1);
        gate.failed(new IOException("planted by the test"));
        long start = System.nanoTime();
        assertTrue(gate.awaitOpen());
        assertTrue(System.nanoTime() - start > 50_000_000, "it must not spin");
    }

    private static CompletableFuture<Boolean> awaitOpen(AcceptGate gate) throws InterruptedException {
        CompletableFuture<Boolean> opened = new CompletableFuture<>();
        started(() -> opened.complete(gate.awaitOpen()));
        return opened;
    }

    private static void started(Runnable task) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        new Thread(() -> {
                    running.countDown();
                    task.run();
                })
                .start();
        Deadline.await(running);
    }
}
