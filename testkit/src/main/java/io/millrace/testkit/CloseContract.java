package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** How every transport ends a connection. */
interface CloseContract {

    TransportHarness harness();

    @Test
    default void tellsTheEndOnceHoweverManyClose() throws Exception {
        ExecutorService closers = harness().workers(3);
        for (int i = 0; i < 50; i++) {
            Probe probe = waitingProbe();
            CountDownLatch go = new CountDownLatch(1);
            for (int t = 0; t < 3; t++) {
                closers.execute(() -> {
                    Deadline.awaitUninterrupted(go);
                    probe.connection().close(null);
                });
            }
            go.countDown();
            assertNull(probe.awaitClosed());
            assertEquals(1, probe.closings());
        }
    }

    @Test
    default void passesTheCauseToItsHandler() throws Exception {
        Probe probe = waitingProbe();
        IOException cause = new IOException("the cause");
        probe.connection().close(cause);
        assertSame(cause, probe.awaitClosed());
    }

    @Test
    @DiffersByTransport
    default void endsThePeersInputWhenItCloses() throws Exception {
        harness().serve(Probe::close);
        assertEquals(0, harness().connect().readToEnd().length);
    }

    /** Whether the transport can reset connections. */
    default boolean canReset() {
        return true;
    }

    @Test
    @DiffersByTransport
    default void letsThePeerSeeAReset() throws Exception {
        IOException cause = new IOException("the cause");
        harness()
                .serve(probe ->
                        probe.write(new byte[100], sent -> probe.connection().reset(cause)));
        assertEquals(canReset(), harness().connect().awaitReset());
        assertSame(cause, harness().accepted().awaitClosed());
    }

    /** After an ordinary close, the system would send its buffered output and a FIN. */
    @Test
    @DiffersByTransport
    default void resetsInTheMidstOfAWrite() throws Exception {
        CompletableFuture<Throwable> written = new CompletableFuture<>();
        harness().serve(probe -> probe.write(new byte[20_000_000], written::complete));
        RawClient client = harness().connect(10_000);
        client.read(1000);
        Probe probe = harness().accepted();
        probe.connection().reset(new IOException("the cause"));
        probe.connection().close(null);
        assertEquals(canReset(), client.awaitReset());
        assertInstanceOf(IOException.class, Deadline.await(written));
        probe.awaitClosed();
        assertEquals(1, probe.closings());
    }

    @Test
    default void endsInGoodOrderWhereItIsNotReset() throws Exception {
        harness()
                .serve((connection, probe) ->
                        probe.onReadable(readable -> readable.write(new byte[100], sent -> connection.close(null))));
        assertFalse(harness().connect().awaitReset());
    }

    @Test
    default void failsReadingOnceItIsClosed() throws Exception {
        Probe probe = waitingProbe();
        probe.connection().close(null);
        probe.awaitClosed();
        assertThrows(IOException.class, () -> probe.connection().read());
    }

    @Test
    default void closesWhenItsHandlerThrows() throws Exception {
        harness().serve((connection, probe) -> {
            probe.onReadable(waits -> {
                probe.onReadable(throwing -> {
                    throw new IllegalStateException("planted by the test");
                });
                connection.awaitReadable();
            });
        });
        harness().connect().send("x").awaitClose();
        assertInstanceOf(IllegalStateException.class, harness().accepted().awaitClosed());
    }

    @Test
    default void goesOnServingOthersAfterAHandlerThrew() throws Exception {
        harness().serve(probe -> {
            if (probe.connection() != null) {
                throw new AssertionError("planted by the test");
            }
        });
        for (int i = 0; i < 20; i++) {
            harness().connect().awaitClose();
        }
        harness().serve(Probe::echo);
        assertEquals("fine", harness().connect().send("fine").readText(4));
    }

    @Test
    default void callsTheHandlerInstalledLast() throws Exception {
        CompletableFuture<Probe> second = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            probe.onReadable(before -> {
                Probe after = new Probe(connection).onReadable(Probe::echo);
                connection.install(after);
                second.complete(after);
                after.onReadable();
            });
        });
        RawClient client = harness().connect();
        assertEquals("upgraded", client.send("upgraded").readText(8));
        client.close();
        Deadline.await(second).awaitClosed();
        assertEquals(0, harness().accepted().closings(), "the handler before was replaced");
    }

    @Test
    default void knowsItsTwoEnds() throws Exception {
        Probe probe = waitingProbe();
        assertEquals(harness().address(), probe.connection().channel().info().local());
        probe.connection().close(null);
        probe.awaitClosed();
        InetSocketAddress remote =
                (InetSocketAddress) probe.connection().channel().info().remote();
        assertEquals(
                ((InetSocketAddress) harness().address()).getAddress(),
                remote.getAddress(),
                "also after the close, for the access log");
    }

    @Test
    default void survivesClosingWhileOthersReadAndWrite() throws Exception {
        harness().serve(Probe::echo);
        List<Probe> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RawClient client = harness().connect().send(new byte[3_000]);
            Probe probe = harness().accepted();
            all.add(probe);
            if (i % 3 == 0) {
                client.reset();
            }
            probe.connection().close(i % 2 == 0 ? null : new IOException("closed by the test"));
        }
        for (Probe probe : all) {
            probe.awaitClosed();
            assertEquals(1, probe.closings());
        }
    }

    private Probe waitingProbe() throws Exception {
        if (!harness().isServing()) {
            harness().serve(probe -> probe.connection().awaitReadable());
        }
        harness().connect();
        return harness().accepted();
    }
}
