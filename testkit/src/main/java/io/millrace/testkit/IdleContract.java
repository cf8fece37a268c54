package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.io.Payload;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** How every transport measures the idle timeout. */
interface IdleContract {

    Duration SHORT = Duration.ofMillis(100);

    /** Attempts at tests that fail if the machine is delayed at the wrong moment. */
    int ATTEMPTS = 10;

    TransportHarness harness();

    @Test
    @DiffersByTransport
    default void tellsItsHandlerWhenThePeerSendsNothing() throws Exception {
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT);
            probe.onReadable(Probe::echo);
        });
        long start = System.nanoTime();
        harness().connect().awaitClose();
        assertTrue(System.nanoTime() - start >= SHORT.toNanos(), "not before its time");
        assertEquals(1, harness().accepted().idlings());
    }

    @Test
    @DiffersByTransport
    default void limitsWritesOfAPeerThatHasMostLikelyGone() throws Exception {
        CompletableFuture<Throwable> written = new CompletableFuture<>();
        harness()
                .serve((connection, probe) -> probe.onReadable(waits -> {
                    connection.idleTimeout(Duration.ofHours(1));
                    if (connection.channel().mayBlock()) {
                        connection.limitWrites(SHORT);
                    }
                    probe.write(new byte[20_000_000], written::complete);
                }));
        RawClient client = harness().connect(10_000);
        Probe probe = harness().accepted();
        client.read(1000);
        probe.connection().limitWrites(SHORT);
        assertInstanceOf(IOException.class, Deadline.await(written));
        probe.awaitClosed();
    }

    @Test
    default void mayWaitOnAfterTheIdleTime() throws Exception {
        CountDownLatch thrice = new CountDownLatch(3);
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT);
            probe.onReadable(Probe::echo).onIdle(idle -> {
                thrice.countDown();
                connection.awaitReadable();
            });
        });
        RawClient client = harness().connect();
        Deadline.await(thrice);
        assertEquals("awake", client.send("awake").readText(5));
    }

    @Test
    default void waitsForEverWithoutATimeout() throws Exception {
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT);
            connection.idleTimeout(Duration.ZERO);
            probe.onReadable(Probe::echo);
        });
        RawClient client = harness().connect();
        assertTrue(client.isSilentFor(SHORT.multipliedBy(4)));
        assertEquals("awake", client.send("awake").readText(5));
    }

    @Test
    default void heedsAShorterTimeoutThanTheLast() throws Exception {
        harness().serve((connection, probe) -> {
            connection.idleTimeout(Duration.ofHours(1));
            probe.onReadable(long1 -> {
                connection.idleTimeout(Duration.ofHours(1));
                probe.onReadable(shorter -> {
                    connection.idleTimeout(SHORT);
                    probe.echo();
                });
                connection.awaitReadable();
            });
        });
        RawClient client = harness().connect().send("x");
        client.awaitClose();
        assertEquals(1, harness().accepted().idlings());
    }

    @Test
    default void heedsATimeoutThatIsSetWhileItWaits() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        harness().serve((connection, probe) -> {
            connection.idleTimeout(Duration.ofHours(1));
            probe.onReadable(first -> {
                connection.awaitReadable();
                waiting.countDown();
            });
        });
        RawClient client = harness().connect();
        Probe probe = harness().accepted();
        Deadline.await(waiting);
        probe.connection().idleTimeout(SHORT);
        client.awaitClose();
        assertEquals(1, probe.idlings());
    }

    @Test
    default void startsAnewWithEveryByte() throws Exception {
        Duration limit = SHORT.multipliedBy(4);
        harness().serve((connection, probe) -> {
            connection.idleTimeout(limit);
            probe.onReadable(Probe::echo);
        });
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long before = System.nanoTime();
            RawClient client = harness().connect();
            Probe probe = harness().accepted();
            if (isInTime(before, limit, 8, () -> client.send("x").read(1))) {
                assertEquals(0, probe.idlings());
                return;
            }
        }
        fail("this machine holds its clients up for more than " + limit + " each time");
    }

    @Test
    default void doesNotCountTheTimeOfWork() throws Exception {
        ExecutorService workers = harness().workers(1);
        CountDownLatch worked = new CountDownLatch(1);
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT);
            probe.onReadable(working -> workers.execute(() -> {
                Deadline.awaitUninterrupted(worked);
                probe.echo();
            }));
        });
        RawClient client = harness().connect().send("slow");
        assertTrue(client.isSilentFor(SHORT.multipliedBy(4)));
        Probe probe = harness().accepted();
        assertEquals(0, probe.idlings());
        worked.countDown();
        assertEquals("slow", client.readText(4));
    }

    @Test
    @DiffersByTransport
    default void failsAWriteThatThePeerDoesNotTake() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT);
            probe.onIdle(p -> connection.awaitReadable()); // the peer is silent too: the read timeout does not count
            connection.write(
                    Payload.of(ByteBuffer.allocate(64 << 20)), failure -> done.complete(String.valueOf(failure)));
        });
        RawClient client = harness().connect(4 * 1024);
        assertTrue(Deadline.await(done).contains("Timeout"));
        assertInstanceOf(IOException.class, harness().accepted().awaitClosed());
        client.close();
    }

    @Test
    default void doesNotFailAWriteThatThePeerTakesSlowly() throws Exception {
        Duration limit = SHORT.multipliedBy(10);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            CompletableFuture<String> done = new CompletableFuture<>();
            harness().serve((connection, probe) -> {
                connection.idleTimeout(limit);
                probe.onIdle(p -> connection.awaitReadable()); // the peer is silent: the read timeout does not count
                connection.write(
                        Payload.of(ByteBuffer.allocate(16 << 20)), failure -> done.complete(String.valueOf(failure)));
            });
            long before = System.nanoTime();
            RawClient client = harness().connect(64 * 1024);
            if (isInTime(before, limit, 16, () -> client.read(1 << 20))) {
                assertEquals("null", Deadline.await(done));
                return;
            }
        }
        fail("this machine holds its clients up for more than " + limit + " each time");
    }

    @Test
    @DiffersByTransport
    default void failsAWriteThatThePeerTakesMoreSlowlyThanTheMinimumRate() throws Exception {
        Duration limit = SHORT.multipliedBy(10);
        harness()
                .with(options -> options.with(TransportOptions.MIN_DOWNLOAD_RATE, 1_000_000_000)
                        .with(TransportOptions.MIN_DOWNLOAD_RATE_GRACE, Duration.ZERO));
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            CompletableFuture<String> done = new CompletableFuture<>();
            harness().serve((connection, probe) -> {
                connection.idleTimeout(limit);
                probe.onIdle(p -> connection.awaitReadable());
                connection.write(
                        Payload.of(ByteBuffer.allocate(64 << 20)), failure -> done.complete(String.valueOf(failure)));
            });
            long before = System.nanoTime();
            RawClient client = harness().connect(64 * 1024);
            if (isInTime(before, limit, 60, () -> client.read(256 * 1024))) {
                Deadline.await(done); // the client may notice the end before the server's completion runs
                assertNotEquals(
                        0,
                        harness().limits().times(Limit.CONNECTION_DOWNLOAD_RATE),
                        "the peer takes something now and then, but too little");
                return;
            }
        }
        fail("this machine holds its clients up for more than " + limit + " each time");
    }

    /** An action that a client repeats. */
    interface Move {
        void make() throws IOException;
    }

    /**
     * Repeats a move, with a pause after each, until it fails. Returns false if the time from the start of one to the end of the
     * next was so long that the server's timeout may have expired, so that the attempt is inconclusive.
     */
    private static boolean isInTime(long before, Duration limit, int moves, Move move) {
        long last = before;
        for (int i = 0; i < moves; i++) {
            long begin = System.nanoTime();
            boolean made = succeeds(move);
            if (System.nanoTime() - last >= limit.toNanos()) {
                return false;
            }
            if (!made) {
                return true;
            }
            last = begin;
            Deadline.pass(SHORT);
        }
        return true;
    }

    private static boolean succeeds(Move move) {
        try {
            move.make();
            return true;
        } catch (IOException closed) {
            return false;
        }
    }
}
