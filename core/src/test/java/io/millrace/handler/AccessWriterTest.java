package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.RefusedRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The thread that writes an access log … */
class AccessWriterTest {

    /** An output that blocks until the test releases it. */
    private static final class Gate implements AccessWriter.Output {
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
        return AccessEntry.refused(new RefusedRequest(
                400, "odd", null, new MemoryStream().channel().info()));
    }

    private static AccessWriter writer(Gate gate, boolean block) {
        return new AccessWriter(
                AccessLogFormat.PATTERN.parse("%s", new AccessFormat.Settings(Locale.ROOT, false, false)),
                gate,
                4,
                block,
                Duration.ofMillis(1));
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

    /** An output whose first writes fail in different ways. */
    private static final class Faulty implements AccessWriter.Output {
        private final Throwable failure;
        private final AtomicInteger failures = new AtomicInteger(3);
        private final CountDownLatch written = new CountDownLatch(1);

        Faulty(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public void write(byte[] bytes, int length, long now) throws IOException {
            if (failures.getAndDecrement() > 0) {
                AccessWriterTest.<IOException>throwAny(failure);
            }
            written.countDown();
        }

        @Override
        public void close() throws IOException {
            AccessWriterTest.<IOException>throwAny(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
        throw (T) thrown;
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IOException("planted"),
                new IllegalStateException("planted"),
                new OutOfMemoryError("planted"),
                new NoClassDefFoundError("planted"),
                new StackOverflowError("planted"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void writesOnAfterAnyFailureAndNeverLetsAWriterWaitForEver(Throwable failure) throws InterruptedException {
        long before = DroppedLines.count();
        Faulty output = new Faulty(failure);
        AccessWriter writer = new AccessWriter(
                AccessLogFormat.PATTERN.parse("%s", new AccessFormat.Settings(Locale.ROOT, false, false)),
                output,
                4,
                true,
                Duration.ofMillis(1));
        CountDownLatch offered = new CountDownLatch(1);
        Thread many = new Thread(() -> {
            while (output.written.getCount() > 0) {
                writer.offer(entry());
            }
            offered.countDown();
        });
        many.start();
        assertTrue(output.written.await(30, TimeUnit.SECONDS));
        assertTrue(offered.await(30, TimeUnit.SECONDS));
        writer.close();
        for (int i = 0; i < 10; i++) {
            writer.offer(entry()); // more than there is room for
        }
        many.join();
        assertTrue(DroppedLines.count() - before >= 3);
    }

    /** park returns immediately while the interrupt flag is set, so the waiting thread must clear it, and restore it afterwards. */
    @Test
    void waitsForRoomAlsoOnAThreadThatIsInterrupted() throws InterruptedException {
        Gate gate = new Gate();
        AccessWriter writer = writer(gate, true);
        writer.offer(entry());
        assertTrue(gate.entered.await(10, TimeUnit.SECONDS));
        AtomicBoolean kept = new AtomicBoolean();
        Thread many = new Thread(() -> {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 10; i++) {
                writer.offer(entry());
            }
            kept.set(Thread.currentThread().isInterrupted());
        });
        many.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (many.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(System.nanoTime() - end < 0, "it does not sleep");
        }
        gate.open.countDown();
        many.join();
        writer.close();
        assertTrue(kept.get());
        assertEquals(11, gate.lines());
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
