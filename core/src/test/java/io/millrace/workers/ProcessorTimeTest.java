package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ProcessorTimeTest {

    private static final long WHILE = TimeUnit.MILLISECONDS.toNanos(200);

    @Test
    void addsTheTimeOnAProcessorAndTheTimeOfWaitingForOne() {
        assertEquals(12, sum("5 7 3\n"));
        assertEquals(ProcessorTime.UNKNOWN, sum("5"));
        assertEquals(ProcessorTime.UNKNOWN, sum("no account"));
        assertEquals(ProcessorTime.UNKNOWN, sum(""));
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

    private interface Doing {
        void run() throws InterruptedException;
    }

    /** The share of the time that is accounted for; retried, since the machine may be busy. */
    private static void assertOnce(DoublePredicate expected, Doing something) throws InterruptedException {
        ProcessorTime mine = ProcessorTime.ofCurrentThread();
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
        ProcessorTime[] its = new ProcessorTime[1];
        Thread thread = new Thread(() -> its[0] = ProcessorTime.ofCurrentThread());
        thread.start();
        thread.join();
        assumeTrue(its[0] != null, "this system keeps no such account");
        while (its[0].nanos() != ProcessorTime.UNKNOWN) {
            Thread.onSpinWait(); // the kernel removes the entry a moment later
        }
    }

    private static long sum(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        return ProcessorTime.sumOfTwo(bytes, bytes.length);
    }
}
