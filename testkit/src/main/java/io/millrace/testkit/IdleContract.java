package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** How every transport counts the time that a connection waits for its peer. */
interface IdleContract {

    Duration SHORT = Duration.ofMillis(100);

    TransportHarness harness();

    @Test
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
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT.multipliedBy(4));
            probe.onReadable(Probe::echo);
        });
        RawClient client = harness().connect();
        for (int i = 0; i < 8; i++) {
            assertEquals("x", client.send("x").readText(1));
            assertTrue(client.isSilentFor(SHORT));
        }
        assertEquals(0, harness().accepted().idlings());
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
    default void failsAWriteThatThePeerDoesNotTake() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT);
            connection.write(
                    Payload.of(ByteBuffer.allocate(64 << 20)), failure -> done.complete(String.valueOf(failure)));
        });
        RawClient client = harness().connect(4 * 1024);
        assertTrue(Deadline.await(done).contains("Timeout"));
        Probe probe = harness().accepted();
        assertInstanceOf(IOException.class, probe.awaitClosed());
        assertEquals(0, probe.idlings(), "a write that stands still is no idle handler");
        client.close();
    }

    @Test
    default void doesNotFailAWriteThatThePeerTakesSlowly() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        int size = 16 << 20;
        harness().serve((connection, probe) -> {
            connection.idleTimeout(SHORT.multipliedBy(10));
            connection.write(Payload.of(ByteBuffer.allocate(size)), failure -> done.complete(String.valueOf(failure)));
        });
        RawClient client = harness().connect(64 * 1024);
        int got = 0;
        for (int i = 0; i < 15; i++) {
            got += client.read(1 << 20).length;
            Deadline.pass(SHORT);
        }
        client.read(size - got);
        assertEquals("null", Deadline.await(done));
    }
}
