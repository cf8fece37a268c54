package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** How every transport accepts connections and stops accepting. */
interface AcceptContract {

    Duration A_WHILE = Duration.ofMillis(200);

    TransportHarness harness();

    @Test
    default void picksAFreePort() throws Exception {
        harness().serve(Probe::echo);
        assertTrue(((InetSocketAddress) harness().address()).getPort() > 0);
    }

    @Test
    default void namesAnAddressThatIsInUse() throws Exception {
        harness().serve(Probe::echo);
        InetSocketAddress taken = (InetSocketAddress) harness().address();
        IOException refused = assertThrows(IOException.class, () -> harness().bind(taken));
        assertTrue(String.valueOf(refused.getMessage()).contains(String.valueOf(taken.getPort())), refused.toString());
    }

    @Test
    default void countsItsConnections() throws Exception {
        Transport transport = harness().serve(Probe::echo);
        RawClient one = harness().connect();
        RawClient two = harness().connect();
        one.send("1").read(1);
        two.send("2").read(1);
        assertEquals(2, transport.connections());
        one.close();
        Deadline.await("the closed connection to be counted off", () -> transport.connections() == 1);
    }

    @Test
    @DiffersByTransport
    default void leavesNewConnectionsInTheBacklogWhilePaused() throws Exception {
        Transport transport = harness().serve(Probe::echo);
        RawClient before = harness().connect().send("before");
        assertEquals("before", before.readText(6));
        transport.pause();
        RawClient waiting = harness().connect().send("waiting");
        if (!waiting.isSilentFor(A_WHILE)) { // one whose accept was in progress may still succeed
            waiting = harness().connect().send("waiting");
            assertTrue(waiting.isSilentFor(A_WHILE));
        }
        assertEquals("still", before.send("still").readText(5));
        transport.resume();
        assertEquals("waiting", waiting.readText(7));
    }

    @Test
    @DiffersByTransport
    default void acceptsNoMoreThanItsLimitAndRefusesNobody() throws Exception {
        harness().with(options -> options.with(TransportOptions.MAX_CONNECTIONS, 3));
        Transport transport = harness().serve(Probe::echo);
        RawClient first = harness().connect().send("x");
        first.read(1);
        for (int i = 0; i < 2; i++) {
            harness().connect().send("x").read(1);
        }
        RawClient fourth = harness().connect().send("fourth");
        assertTrue(fourth.isSilentFor(A_WHILE));
        assertEquals(3, transport.connections());
        first.close();
        assertEquals("fourth", fourth.readText(6));
    }

    /** The transport has not ended as long as a connection may still be accepted. */
    @Test
    default void letsThoseFinishThatWereAcceptedAfterTheLastHadGone() throws Exception {
        ExecutorService workers = harness().workers(2);
        CountDownLatch finish = new CountDownLatch(1);
        Transport transport = harness()
                .serve(working -> workers.execute(() -> {
                    Deadline.awaitUninterrupted(finish);
                    working.echo();
                }));
        harness().connect();
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch replaced = new CountDownLatch(1);
        harness().accepted().onDrain(last -> {
            last.close();
            gone.countDown();
            Deadline.awaitUninterrupted(replaced);
        });
        var stop = CompletableFuture.supplyAsync(() -> transport.stop(Duration.ofSeconds(60)), workers);
        Deadline.await(gone);
        Deadline.await("the last connection to be counted off", () -> transport.connections() == 0);
        RawClient late = harness().connect().send("late");
        harness().accepted();
        replaced.countDown();
        CompletableFuture<Void> stopped = Deadline.await(stop).toCompletableFuture();
        assertTrue(late.isSilentFor(A_WHILE));
        assertFalse(stopped.isDone(), "a connection is busy");
        finish.countDown();
        assertEquals("late", late.readText(4));
        late.awaitClose();
        Deadline.await(stopped);
    }
}
