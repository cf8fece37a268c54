package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** How every transport and its connections stop. */
interface StopContract {

    Duration A_WHILE = Duration.ofMillis(200);

    TransportHarness harness();

    @Test
    @DiffersByTransport
    default void drainsWhatIsOpenWhenItStops() throws Exception {
        ExecutorService workers = harness().workers(1);
        CountDownLatch finish = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(1);
        Transport transport = harness()
                .serve((connection, probe) -> probe.onReadable(begin -> {
                    probe.onReadable(work -> {
                        working.countDown();
                        workers.execute(() -> {
                            Deadline.awaitUninterrupted(finish);
                            probe.echo();
                        });
                    });
                    connection.awaitReadable();
                }));
        RawClient client = harness().connect().send("the last request");
        Deadline.await(working);
        var stopped = transport.stop(Duration.ofSeconds(60)).toCompletableFuture();
        assertTrue(client.isSilentFor(A_WHILE));
        assertFalse(stopped.isDone(), "a request is running");
        assertThrows(IOException.class, () -> harness().connect(), "the port is closed");
        finish.countDown();
        assertEquals("the last request", client.readText(16));
        client.awaitClose();
        Deadline.await(stopped);
    }

    @Test
    default void endsIdleConnectionsAtOnceWhenItStops() throws Exception {
        Transport transport = harness().serve(Probe::echo);
        RawClient client = harness().connect();
        client.send("x").read(1);
        Deadline.await(transport.stop(Duration.ofSeconds(60)));
        client.awaitClose();
        assertTrue(harness().accepted().isDraining());
    }

    @Test
    default void closesAConnectionAtOnceThatCheckedForADrainJustBeforeItBegan() throws Exception {
        ExecutorService workers = harness().workers(1);
        CountDownLatch queried = new CountDownLatch(1);
        CountDownLatch drained = new CountDownLatch(1);
        Transport transport = harness().serve(Probe::echo);
        List<RawClient> idle = connectOnePerThread();
        RawClient busy = harness().connect();
        harness()
                .accepted()
                .onReadable(input -> workers.execute(() -> {
                    boolean draining = input.isDraining();
                    queried.countDown();
                    Deadline.awaitUninterrupted(drained);
                    input.onReadable(Probe::echo);
                    if (draining) {
                        input.close();
                    } else {
                        input.discard();
                    }
                }));
        idle.addAll(connectOnePerThread());
        busy.send("x");
        Deadline.await(queried);
        var stopped = transport.stop(Duration.ofSeconds(60));
        for (RawClient each : idle) { // accepted before and after the busy one: that was drained too
            each.awaitClose();
        }
        drained.countDown();
        busy.awaitClose();
        Deadline.await(stopped);
    }

    private List<RawClient> connectOnePerThread() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            clients.add(harness().connect());
            harness().accepted();
        }
        return clients;
    }

    @Test
    @DiffersByTransport
    default void cutsWhatIsLeftWhenTheGraceIsOver() throws Exception {
        Transport transport =
                harness().serve((connection, probe) -> probe.onReadable(stubborn -> connection.awaitReadable()));
        RawClient client = harness().connect();
        Probe probe = harness().accepted();
        Deadline.await(transport.stop(Duration.ofMillis(50)));
        client.awaitClose();
        assertEquals(1, probe.closings());
    }

    @Test
    @DiffersByTransport
    default void leavesNoThreadWhenItHasStopped() throws Exception {
        Transport transport = harness().serve(Probe::echo);
        harness().connect().send("x").read(1);
        Deadline.await(transport.stop(Duration.ofSeconds(60)));
        Deadline.await(
                "the transport's threads to end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(
                                thread -> thread.getName().startsWith(harness().name())));
    }

    @Test
    default void stopsWithoutHavingBeenBound() throws Exception {
        Deadline.await(harness().unbound().stop(Duration.ZERO));
    }

    @Test
    default void servesOnTwoAddressesAndStopsThemOneByOne() throws Exception {
        Transport first = harness().serve(Probe::echo);
        RawClient ofFirst = harness().connect();
        harness().serve(Probe::echo);
        RawClient ofSecond = harness().connect();
        assertEquals("1", ofFirst.send("1").readText(1));
        Deadline.await(first.stop(Duration.ZERO));
        assertEquals("2", ofSecond.send("2").readText(1));
    }

    @Test
    default void stopsTwiceAsOnce() throws Exception {
        Transport transport = harness().serve(Probe::echo);
        CompletableFuture<Void> once = transport.stop(Duration.ZERO).toCompletableFuture();
        CompletableFuture<Void> twice = transport.stop(Duration.ZERO).toCompletableFuture();
        Deadline.await(once);
        Deadline.await(twice);
    }
}
