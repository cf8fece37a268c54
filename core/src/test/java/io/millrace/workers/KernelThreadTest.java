package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class KernelThreadTest {

    private static final long WHILE = TimeUnit.MILLISECONDS.toNanos(200);

    @Test
    void addsTheTimeOnAProcessorAndTheTimeOfWaitingForOne() {
        assertEquals(12, KernelThread.sumOfTwo("5 7 3\n"));
        assertEquals(KernelThread.UNKNOWN, KernelThread.sumOfTwo("5"));
        assertEquals(KernelThread.UNKNOWN, KernelThread.sumOfTwo("no account"));
        assertEquals(KernelThread.UNKNOWN, KernelThread.sumOfTwo(""));
    }

    @Test
    void growsWithAThreadThatComputes() throws Exception {
        assertOnce(share -> share > 0.5, () -> {
            long end = System.nanoTime() + WHILE;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void standsStillWhileAThreadWaitsForSomethingElse() throws Exception {
        assertOnce(share -> share < 0.5, () -> new CountDownLatch(1).await(2 * WHILE, TimeUnit.NANOSECONDS));
    }

    @Test
    void findsTheStateAndTheWaitsInWhatTheKernelWrites() {
        String status = """
                Name:\tnio I/O-1
                State:\tS (sleeping)
                Tgid:\t1
                voluntary_ctxt_switches:\t12
                nonvoluntary_ctxt_switches:\t345
                """;
        assertTrue(KernelThread.isWaiting(status));
        assertFalse(KernelThread.isWaiting(status.replace("S (sleeping)", "R (running)")));
        assertFalse(KernelThread.isWaiting(""));
        assertEquals(12, KernelThread.waits(status));
        assertEquals(KernelThread.UNKNOWN, KernelThread.waits(""));
    }

    @Test
    void countsAWaitOfTheCurrentThread() throws Exception {
        long before = KernelThread.waits();
        assumeTrue(before != KernelThread.UNKNOWN, "this system counts no waits");
        assertFalse(new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS));
        assertNotEquals(before, KernelThread.waits());
    }

    @Test
    void tellsAThreadThatReadsASocketFromOneThatComputes() throws Exception {
        AtomicReference<KernelThread> its = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listening.getInetAddress(), listening.getLocalPort());
                Socket accepted = listening.accept()) {
            CompletableFuture<Integer> read = CompletableFuture.supplyAsync(
                    () -> {
                        its.set(KernelThread.ofCurrentThread());
                        try {
                            return accepted.getInputStream().read();
                        } catch (IOException broken) {
                            throw new UncheckedIOException(broken);
                        }
                    },
                    task -> new Thread(task).start());
            await(() -> its.get() != null || read.isDone());
            assumeTrue(its.get() != null, "this system keeps no such account");
            await(its.get()::isWaiting);
            client.getOutputStream().write(1);
            assertEquals(1, read.get(30, TimeUnit.SECONDS));
        }
        its.set(null);
        CompletableFuture<Void> computes = CompletableFuture.runAsync(
                () -> {
                    its.set(KernelThread.ofCurrentThread());
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                },
                task -> new Thread(task).start());
        await(() -> its.get() != null);
        for (int i = 0; i < 100; i++) {
            assertFalse(its.get().isWaiting());
        }
        over.set(true);
        computes.get(30, TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private interface Doing {
        void run() throws InterruptedException;
    }

    /** The share of the time that is accounted for; retried, since the machine may be busy. */
    private static void assertOnce(DoublePredicate expected, Doing something) throws InterruptedException {
        KernelThread mine = KernelThread.ofCurrentThread();
        assumeTrue(mine != null, "this system keeps no such account");
        List<Double> shares = new ArrayList<>();
        while (shares.size() < 10) {
            long start = System.nanoTime();
            long before = mine.nanos();
            something.run();
            double share = (double) (mine.nanos() - before) / (System.nanoTime() - start);
            if (expected.test(share)) {
                return;
            }
            shares.add(share);
        }
        fail("shares of the time: " + shares);
    }

    @Test
    void isUnknownOfAThreadThatHasEnded() throws Exception {
        KernelThread[] its = new KernelThread[1];
        Thread thread = new Thread(() -> its[0] = KernelThread.ofCurrentThread());
        thread.start();
        thread.join();
        assumeTrue(its[0] != null, "this system keeps no such account");
        while (its[0].nanos() != KernelThread.UNKNOWN) {
            Thread.onSpinWait(); // the kernel removes the entry a moment later
        }
    }
}
