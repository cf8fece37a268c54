package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    void growsWithAThreadThatComputes() {
        ProcessorTime mine = ProcessorTime.ofCurrentThread();
        assumeTrue(mine != null, "this system keeps no such account");
        long before = mine.nanos();
        long end = System.nanoTime() + WHILE;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        long spent = mine.nanos() - before;
        assertTrue(spent > WHILE / 2, spent + " ns");
    }

    @Test
    void standsStillWhileAThreadWaitsForSomethingElse() throws Exception {
        ProcessorTime mine = ProcessorTime.ofCurrentThread();
        assumeTrue(mine != null, "this system keeps no such account");
        long start = System.nanoTime();
        long before = mine.nanos();
        new CountDownLatch(1).await(2 * WHILE, TimeUnit.NANOSECONDS);
        long spent = mine.nanos() - before;
        assertTrue(spent < (System.nanoTime() - start) / 2, spent + " ns");
    }

    @Test
    void isUnknownOfAThreadThatHasEnded() throws Exception {
        ProcessorTime[] its = new ProcessorTime[1];
        Thread thread = new Thread(() -> its[0] = ProcessorTime.ofCurrentThread());
        thread.start();
        thread.join();
        assumeTrue(its[0] != null, "this system keeps no such account");
        while (its[0].nanos() != ProcessorTime.UNKNOWN) {
            Thread.onSpinWait(); // the kernel forgets it a moment later
        }
    }

    private static long sum(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        return ProcessorTime.sumOfTwo(bytes, bytes.length);
    }
}
