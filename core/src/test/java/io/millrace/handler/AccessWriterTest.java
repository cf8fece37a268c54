package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The thread that writes an access log … */
class AccessWriterTest {

    /** An output that takes nothing until it is told to. */
    private static final class Gate implements AccessOutput {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch written = new CountDownLatch(1);
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        @Override
        public synchronized void write(byte[] bytes, int length, long now) throws IOException {
            entered.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.write(bytes, 0, length);
            written.countDown();
        }

        synchronized long lines() {
            return out.toString(StandardCharsets.UTF_8).lines().count();
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    private static AccessEntry entry() {
        return AccessEntry.refused(400, new MemoryStream().info());
    }

    private static AccessWriter writer(Gate gate, boolean block) {
        return new AccessWriter(AccessPattern.of("%s"), gate, new EntryQueue(4), block, Duration.ofMillis(1));
    }

    @Test
    void dropsAndCountsWhenTheQueueIsFull() throws InterruptedException {
        Gate gate = new Gate();
        AccessWriter writer = writer(gate, false);
        writer.offer(entry());
        assertTrue(gate.entered.await(10, TimeUnit.SECONDS));
        for (int i = 0; i < 10; i++) {
            writer.offer(entry());
        }
        assertEquals(6, writer.dropped());
        gate.open.countDown();
        writer.close();
        assertEquals(5, gate.lines());
    }

    @Test
    void waitsInsteadIfTold() throws InterruptedException {
        Gate gate = new Gate();
        AccessWriter writer = writer(gate, true);
        writer.offer(entry());
        assertTrue(gate.entered.await(10, TimeUnit.SECONDS));
        Thread many = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                writer.offer(entry());
            }
        });
        many.start();
        gate.open.countDown();
        many.join();
        writer.close();
        assertEquals(0, writer.dropped());
        assertEquals(101, gate.lines());
    }

    @Test
    void wakesForALineAfterALongSilence() throws InterruptedException {
        Gate gate = new Gate();
        gate.open.countDown();
        AccessWriter writer = writer(gate, false);
        writer.offer(entry());
        assertTrue(gate.written.await(10, TimeUnit.SECONDS));
        writer.close();
    }
}
