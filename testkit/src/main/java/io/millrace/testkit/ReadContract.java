package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How every transport reads. */
interface ReadContract {

    TransportHarness harness();

    @Test
    @DiffersByTransport
    default void echoesWhatArrives() throws Exception {
        harness().serve(Probe::echo);
        RawClient client = harness().connect().send("one");
        assertEquals("one", client.readText(3));
        assertEquals("two", client.send("two").readText(3));
    }

    @Test
    @DiffersByTransport
    default void deliversTheEndAfterTheLastByte() throws Exception {
        harness().serve(Probe::echo);
        RawClient client = harness().connect().send("last words").finish();
        assertEquals("last words", client.readTextToEnd());
    }

    @Test
    default void goesOnReadingAfterItsOwnFinish() throws Exception {
        CompletableFuture<String> read = new CompletableFuture<>();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        harness().serve((connection, probe) -> {
            connection.finish(Completion.IGNORE);
            probe.onReadable(p -> collect(p, got, read));
        });
        RawClient client = harness().connect();
        assertEquals("", client.readTextToEnd());
        client.send("you finished, ").send("I did not").finish();
        assertEquals("you finished, I did not", Deadline.await(read));
    }

    @Test
    @DiffersByTransport
    default void goesOnWritingAfterTheEndOfTheInput() throws Exception {
        byte[] answer = Patterns.bytes(300_000, 1);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        CompletableFuture<String> read = new CompletableFuture<>();
        harness().serve(probe -> {
            collect(probe, got, read);
            if (read.isDone()) {
                probe.write(answer, failure -> probe.connection().finish(Completion.IGNORE));
            }
        });
        RawClient client = harness().connect().send("a question").finish();
        assertArrayEquals(answer, client.readToEnd());
    }

    @Test
    @DiffersByTransport
    default void closesOnceWhenThePeerResets() throws Exception {
        CompletableFuture<Probe> accepted = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            probe.onReadable(Probe::echo);
            accepted.complete(probe);
        });
        RawClient client = harness().connect();
        assertEquals("x", client.send("x").readText(1));
        client.reset();
        Probe probe = Deadline.await(accepted);
        probe.awaitClosed();
        assertEquals(1, probe.closings());
    }

    @Test
    default void readsOnWhicheverThreadOwnsTheConnection() throws Exception {
        ExecutorService workers = harness().workers(3);
        harness().serve(probe -> workers.execute(probe::echo));
        RawClient client = harness().connect();
        for (int i = 0; i < 1_500; i++) {
            String ping = i % 7 == 0 ? "p" : "ping";
            assertEquals(ping, client.send(ping).readText(ping.length()));
        }
    }

    @Test
    default void findsWhatCameWhileNobodyWaited() throws Exception {
        ExecutorService worker = harness().workers(1);
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        harness().serve(probe -> {
            if (working.getCount() == 0) {
                probe.echo();
                return;
            }
            Chunk chunk = probe.read();
            if (chunk == null) {
                probe.connection().awaitReadable();
                return;
            }
            chunk.release();
            working.countDown();
            worker.execute(() -> {
                Deadline.awaitUninterrupted(sent);
                probe.echo();
            });
        });
        RawClient client = harness().connect().send("start");
        Deadline.await(working);
        client.send("early");
        assertTrue(client.isSilentFor(Duration.ofMillis(50)), "nothing was read yet");
        sent.countDown();
        assertEquals("early", client.readText(5));
        assertEquals("late", client.send("late").readText(4));
    }

    @Test
    default void readsNothingWhereNothingIs() throws Exception {
        CompletableFuture<String> second = new CompletableFuture<>();
        harness().serve(probe -> {
            if (probe.connection().channel().mayBlock()) {
                second.complete("waits instead");
                probe.close();
                return;
            }
            Chunk chunk = probe.read();
            if (chunk == null) {
                probe.connection().awaitReadable();
                return;
            }
            chunk.release();
            second.complete(String.valueOf(probe.read()));
            probe.close();
        });
        harness().connect().send("x");
        String found = Deadline.await(second);
        assertTrue(found.equals("null") || found.equals("waits instead"), found);
    }

    @Test
    default void keepsManyIdleConnectionsAndHoldsNothingForThem() throws Exception {
        harness().serve(Probe::echo);
        List<RawClient> clients = new ArrayList<>();
        int count = harness().isSecured() ? 250 : 1_000; // the handshakes of a thousand take ten seconds
        for (int i = 0; i < count; i++) { // one after the other: a full accept queue would cost a second each time
            RawClient client = harness().connect();
            assertEquals("a", client.send("a").readText(1));
            clients.add(client);
        }
        Deadline.await(
                "idle connections to hold no chunk", () -> harness().buffers().outstanding() == 0);
        for (RawClient client : clients) {
            assertEquals("again", client.send("again").readText(5));
        }
    }

    @Test
    default void callsOneHandlerFromOneThreadAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        CompletableFuture<String> overlap = new CompletableFuture<>();
        ExecutorService worker = harness().workers(1);
        harness().serve(probe -> {
            if (inside.incrementAndGet() != 1) {
                overlap.complete("two threads at once");
            }
            worker.execute(() -> {
                inside.decrementAndGet();
                probe.echo();
            });
        });
        RawClient client = harness().connect();
        for (int i = 0; i < 2_000; i++) {
            client.send("abc");
            client.read(3);
        }
        assertNull(overlap.getNow(null));
    }

    private static void collect(Probe probe, ByteArrayOutputStream into, CompletableFuture<String> whole) {
        for (Chunk chunk = probe.read(); chunk != null; chunk = probe.read()) {
            if (chunk.isEnd()) {
                whole.complete(into.toString(java.nio.charset.StandardCharsets.ISO_8859_1));
                return;
            }
            Patterns.append(chunk, into);
        }
        probe.connection().awaitReadable();
    }
}
