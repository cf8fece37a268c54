package io.millrace.connector.nio2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Probe;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.TransportHarness;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The specifics of asynchronous channels: operations that cannot be cancelled, and shared threads. */
@Timeout(120)
final class AsynchronousIoTest {

    private final TransportHarness harness = new TransportHarness(new Nio2TransportProvider());

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void keepsTheByteThatComesAfterADrainFoundTheReadPending() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch drained = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        var transport = harness.serve((connection, probe) -> probe.onReadable(p -> {
            Chunk chunk = p.read();
            if (chunk != null) {
                connection.write(Payload.of(chunk.bytes()), failure -> {
                    chunk.release();
                    p.close();
                });
                return;
            }
            if (!first.getAndSet(false)) {
                drained.countDown(); // spuriously, with nothing to read
            }
            connection.awaitReadable();
            waiting.countDown();
        }));
        RawClient client = harness.connect();
        Deadline.await(waiting);
        var stopped = transport.stop(Duration.ofSeconds(60));
        Deadline.await(drained);
        assertEquals("x", client.send("x").readText(1));
        Deadline.await(stopped);
    }

    @Test
    void tellsTheEndAfterTheLastCallHoweverClosingRacesWithCompletions() throws Exception {
        ExecutorService closers = harness.workers(2);
        List<Probe> probes = new ArrayList<>();
        AtomicInteger late = new AtomicInteger();
        harness.serve((connection, probe) -> probe.onReadable(p -> {
            if (p.isClosed()) {
                late.incrementAndGet();
            }
            p.echo();
        }));
        for (int i = 0; i < 300; i++) {
            RawClient client = harness.connect();
            Probe probe = harness.accepted();
            probes.add(probe);
            closers.execute(() -> probe.connection().close(null));
            if (i % 2 == 0) {
                client.reset();
            } else {
                client.close();
            }
        }
        for (Probe probe : probes) {
            probe.awaitClosed();
            assertEquals(1, probe.closings());
        }
        assertEquals(0, late.get(), "called after the end");
    }

    @Test
    void holdsNoPooledMemoryForConnectionsThatSentMuchOrLittle() throws Exception {
        harness.serve(Probe::echo);
        List<RawClient> clients = new ArrayList<>();
        for (int size : new int[] {1, 500, 5_000}) {
            RawClient client = harness.connect();
            clients.add(client);
            byte[] sent = bytes(size);
            client.send(sent);
            assertArrayEquals(sent, client.read(size));
        }
        Deadline.await("every chunk to be released", () -> harness.buffers().outstanding() == 0);
        for (RawClient client : clients) {
            assertEquals("again", client.send("again").readText(5));
        }
    }

    @Test
    void acceptsAndServesOthersWhileSomeSendWithoutEnd() throws Exception {
        harness.serve(probe -> {
            long end = System.nanoTime() + 1_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait(); // a handler that computes: every I/O thread is always busy
            }
            probe.discard();
        });
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService senders = harness.workers(4);
        for (int i = 0; i < 4; i++) {
            RawClient flood = harness.connect();
            senders.execute(() -> flood(flood, over));
        }
        harness.serve(Probe::echo); // on the same threads
        try {
            for (int i = 0; i < 20; i++) {
                assertEquals("x", harness.connect().send("x").readText(1));
            }
        } finally {
            over.set(true);
        }
    }

    private static void flood(RawClient client, AtomicBoolean over) {
        byte[] much = new byte[1 << 18];
        try {
            while (!over.get()) {
                client.send(much);
            }
        } catch (Exception closed) {
            // the test is over
        }
    }

    @Test
    void keepsTheInterruptOfAThreadThatWrites() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        ExecutorService worker = harness.workers(1);
        harness.serve(probe -> worker.execute(() -> {
            Thread.currentThread().interrupt();
            probe.connection().write(Payload.of(ByteBuffer.allocate(10)), failure -> {});
            interrupted.complete(Thread.interrupted());
        }));
        harness.connect();
        assertTrue(Deadline.await(interrupted));
    }

    @Test
    void givesBackWhatItLeasedForAFileWhoseReaderGoesAway() throws Exception {
        Path path = Files.write(Files.createTempFile("nio2", ".bin"), bytes(8 << 20));
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            CompletableFuture<String> done = new CompletableFuture<>();
            harness.serve((connection, probe) -> connection.write(
                    new Payload.FileRegion(file, 0, 8 << 20), failure -> done.complete(String.valueOf(failure))));
            RawClient client = harness.connect(4 * 1024);
            client.readSome(100);
            client.reset();
            assertTrue(Deadline.await(done).contains("Exception"));
            Deadline.await("every chunk to be released", () -> harness.buffers().outstanding() == 0);
        } finally {
            Files.delete(path);
        }
    }

    @Test
    void runsHandlersOnItsOwnThreadsOnly() throws Exception {
        List<String> strangers = new ArrayList<>();
        harness.serve((connection, probe) -> probe.onReadable(p -> {
            String name = Thread.currentThread().getName();
            if (!name.startsWith(harness.name())) {
                synchronized (strangers) {
                    strangers.add(name);
                }
            }
            p.echo();
        }));
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(harness.connect());
        }
        for (int round = 0; round < 100; round++) {
            for (RawClient client : clients) {
                client.send("x");
            }
            for (RawClient client : clients) {
                client.read(1);
            }
        }
        synchronized (strangers) {
            assertTrue(strangers.isEmpty(), strangers.toString());
        }
    }

    @Test
    void failsAWriteWhileAnotherIsPending() throws Exception {
        CompletableFuture<Boolean> refused = new CompletableFuture<>();
        harness.serve((connection, probe) -> {
            connection.write(Payload.of(ByteBuffer.allocate(64 << 20)), Completion.IGNORE);
            refused.complete(refuses(connection));
        });
        harness.connect(4 * 1024);
        assertTrue(Deadline.await(refused));
        assertFalse(harness.accepted().isClosed());
    }

    private static boolean refuses(Connection connection) {
        try {
            connection.write(Payload.of(ByteBuffer.allocate(1)), Completion.IGNORE);
            return false;
        } catch (IllegalStateException expected) {
            return true;
        }
    }

    @Test
    void saysThatItKnowsNoUnixDomainSockets() {
        assertThrows(
                UnsupportedAddressTypeException.class,
                () -> harness.bind(UnixDomainSocketAddress.of("/nonexistent/socket")));
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void acceptsAlthoughHandlersBlockAllIoThreads() throws Exception {
        int threads = Runtime.getRuntime().availableProcessors();
        AtomicInteger blocked = new AtomicInteger();
        AtomicInteger let = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        harness.serve(probe -> {
            Chunk chunk = probe.read();
            if (chunk == null) {
                probe.connection().awaitReadable();
                return;
            }
            if (chunk.isEnd()) {
                probe.connection().close(null);
                return;
            }
            boolean stops = chunk.bytes().get(0) == 'b';
            if (stops && CompletionThread.isCurrent()) {
                blocked.incrementAndGet();
                Deadline.awaitUninterrupted(release);
            } else if (stops) {
                let.incrementAndGet();
            }
            probe.connection().write(Payload.of(chunk.bytes()), failure -> {
                chunk.release();
                probe.connection().awaitReadable();
            });
        });
        List<RawClient> blockers = new ArrayList<>();
        for (int i = 1; blocked.get() < threads; i++) {
            blockers.add(harness.connect());
            harness.accepted();
            blockers.get(i - 1).send("b");
            int sent = i;
            Deadline.await("the handler to be called", () -> blocked.get() + let.get() == sent);
        }
        assertEquals("late", harness.connect().send("late").readText(4));
        release.countDown();
        assertEquals("b", blockers.get(0).readText(1));
        assertEquals("after", harness.connect().send("after").readText(5));
    }
}
