package io.millrace.connector.bio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Probe;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.TransportHarness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many connections on few platform threads. */
@Timeout(60)
final class FewThreadsTest {

    private static final int THREADS = 3;

    private final TransportHarness harness = new TransportHarness(new OnPlatformThreads(THREADS));

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void answersNewConnectionsAtOnceBesideFiveHundredIdleOnes() throws Exception {
        harness.serve(Probe::echo);
        List<RawClient> idle = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            idle.add(harness.connect().send("i"));
        }
        for (RawClient each : idle) {
            assertEquals("i", each.readText(1));
        }
        Deadline.await("ten new connections to take no two seconds", () -> nanosForTen() < 2_000_000_000L);
    }

    private long nanosForTen() {
        long start = System.nanoTime();
        try {
            for (int i = 0; i < 10; i++) {
                assertEquals("new", harness.connect().send("new").readText(3));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return System.nanoTime() - start;
    }

    @Test
    void letsEverybodyHaveATurnBesideThoseWhoNeverPause() throws Exception {
        harness.serve(Probe::echo);
        CountDownLatch stop = new CountDownLatch(1);
        for (int i = 0; i < 2 * THREADS; i++) {
            RawClient busy = harness.connect();
            harness.workers(1).execute(() -> keepBusy(busy, stop));
        }
        for (int i = 0; i < 20; i++) {
            assertEquals("new", harness.connect().send("new").readText(3));
        }
        stop.countDown();
    }

    @Test
    void holdsNoThreadForAConnectionThatSomebodyElseWillAnswer() throws Exception {
        harness.serve((connection, probe) -> probe.onReadable(suspended -> probe.onReadable(Probe::echo)));
        List<RawClient> clients = new ArrayList<>();
        List<Probe> suspended = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            clients.add(harness.connect().send("x"));
            suspended.add(harness.accepted());
        }
        Deadline.await("all calls to return", () -> threads() <= THREADS);
        for (Probe each : suspended) {
            each.echo();
        }
        for (RawClient each : clients) {
            assertEquals("x", each.readText(1));
            assertEquals("again", each.send("again").readText(5));
        }
    }

    @Test
    void readsOnWhenAllItsThreadsWaitForInputInTheMidstOfACall() throws Exception {
        CountDownLatch waiting = new CountDownLatch(THREADS);
        harness.serve((connection, probe) -> probe.onReadable(p -> readWhole(connection, probe, waiting)));
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            clients.add(harness.connect());
        }
        Deadline.await(waiting);
        for (RawClient each : clients) {
            each.send("body");
        }
        for (RawClient each : clients) {
            assertEquals("body", each.readText(4));
        }
    }

    @Test
    void tellsWhoWaitsInTheMidstOfACallThatItsPeerIsIdle() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        harness.serve((connection, probe) -> probe.onReadable(p -> {
            CountDownLatch ready = new CountDownLatch(1);
            connection.idleTimeout(Duration.ofMillis(50));
            probe.onIdle(idle -> ready.countDown());
            connection.awaitReadable();
            await(connection, ready);
            told.countDown();
            connection.close(null);
        }));
        RawClient client = harness.connect();
        Deadline.await(told);
        client.awaitClose();
    }

    @Test
    void cutsAWriteThatStandsStillAndFreesItsThread() throws Exception {
        CountDownLatch failed = new CountDownLatch(THREADS);
        harness.serve((connection, probe) -> {
            probe.onReadable(Probe::echo);
            if (failed.getCount() > 0) {
                connection.idleTimeout(Duration.ofMillis(100));
                connection.write(Payload.of(ByteBuffer.allocate(64 << 20)), failure -> failed.countDown());
            }
        });
        for (int i = 0; i < THREADS; i++) {
            harness.connect(4 * 1024);
        }
        Deadline.await(failed);
        assertEquals("free", harness.connect().send("free").readText(4));
    }

    private static void readWhole(Connection connection, Probe probe, CountDownLatch waiting) {
        CountDownLatch ready = new CountDownLatch(1);
        probe.onReadable(p -> ready.countDown());
        connection.awaitReadable();
        waiting.countDown();
        await(connection, ready);
        probe.onReadable(Probe::echo);
        Chunk chunk = probe.read();
        if (chunk != null) {
            connection.write(Payload.of(chunk.bytes()), failure -> chunk.release());
        }
        connection.awaitReadable();
    }

    private static void await(Connection connection, CountDownLatch latch) {
        try {
            connection.channel().blocker().await(latch);
        } catch (InterruptedException stray) {
            throw new AssertionError(stray);
        }
    }

    private static void keepBusy(RawClient client, CountDownLatch stop) {
        try {
            while (stop.getCount() > 0) {
                client.send("busy").read(4);
            }
        } catch (IOException ended) {
            throw new AssertionError(ended);
        }
    }

    /** Threads that run connections. */
    private long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches(harness.name() + "-[0-9]+"))
                .count();
    }
}
