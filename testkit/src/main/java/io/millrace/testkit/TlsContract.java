package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Connection;
import io.millrace.io.Transport;
import io.millrace.tls.layer.TlsLayer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is specific to TLS, on every transport. */
interface TlsContract {

    TransportHarness harness();

    @Test
    default void saysThatItIsSecureAndHow() throws Exception {
        harness().serve(Probe::echo);
        harness().connect().send("x").read(1);
        Connection connection = harness().accepted().connection();
        assertTrue(connection.channel().info().isSecure());
        assertEquals("http/1.1", connection.channel().info().applicationProtocol());
        assertNotNull(connection.channel().info().tlsSession());
        assertEquals(
                "TLSv1.3",
                java.util.Objects.requireNonNull(connection.channel().info().tlsSession())
                        .getProtocol());
    }

    /** Calls of the engine dominate the cost of a short request: none is repeated. */
    @Test
    default void callsTheEngineOnceForEachMessageEachWay() throws Exception {
        CountingEngine.Counts counts = new CountingEngine.Counts();
        TestTls tls = harness().tls();
        TlsLayer layer = new TlsLayer(
                (name, remote) -> new CountingEngine(tls.create(name, remote), counts),
                harness().workers(2),
                harness().timers(),
                Deadline.DEFAULT);
        harness()
                .acceptPlain(connection -> layer.open(connection, ready -> {
                    Probe probe = new Probe(ready).onReadable(Probe::echo);
                    ready.install(probe);
                    probe.onReadable();
                }));
        RawClient client = harness().connectPlain().secured(tls);
        assertEquals("x", client.send("x").readText(1));
        long wrapped = counts.wrapped();
        long unwrapped = counts.unwrapped();
        for (int i = 0; i < 20; i++) {
            assertEquals("y", client.send("y").readText(1));
        }
        assertEquals(wrapped + 20, counts.wrapped());
        assertEquals(unwrapped + 20, counts.unwrapped());
    }

    @Test
    @DiffersByTransport
    default void endsTheInputWhenThePeerGoesWithoutCloseNotify() throws Exception {
        harness().serve(Probe::echo);
        RawClient plain = harness().connectPlain();
        RawClient client = plain.secured(harness().tls());
        assertEquals("x", client.send("x").readText(1));
        plain.finish();
        assertNull(harness().accepted().awaitClosed());
        assertEquals("", client.readTextToEnd());
    }

    @Test
    default void saysInPlainHttpThatItSpeaksTls() throws Exception {
        harness().serve(Probe::echo);
        RawClient client = harness().connectPlain().send("GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String answer = client.readTextToEnd();
        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("https://"), answer);
    }

    @Test
    default void refusesWhatIsNoTls() throws Exception {
        harness().serve(Probe::echo);
        harness().connectPlain().send("SSH-2.0-OpenSSH_9.2\r\n").awaitClose();
        harness().connectPlain().send(new byte[] {22, 3, 1, 0, 4, 1, 0, 0, 0}).awaitClose();
    }

    @Test
    default void givesUpAHandshakeThatTakesTooLong() throws Exception {
        TlsLayer layer =
                new TlsLayer(harness().tls(), harness().workers(1), harness().timers(), Duration.ofMillis(200));
        harness().acceptPlain(connection -> layer.open(connection, ready -> ready.close(null)));
        harness().connectPlain().awaitClose();
        harness().connectPlain().send(new byte[] {22, 3, 1}).awaitClose();
        Deadline.await("both to be counted", () -> layer.failedHandshakes() == 2);
        assertEquals(0, layer.handshakes());
    }

    @Test
    @DiffersByTransport
    default void endsAConnectionThatSaidNothingWhenItStops() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        TlsLayer layer =
                new TlsLayer(harness().tls(), harness().workers(1), harness().timers(), Deadline.DEFAULT);
        Transport transport = harness().acceptPlain(connection -> {
            opened.countDown();
            layer.open(connection, ready -> ready.close(null));
        });
        RawClient silent = harness().connectPlain();
        Deadline.await(opened);
        Deadline.await(transport.stop(Duration.ofSeconds(60)));
        silent.awaitClose();
    }

    /** That is well before the grace period and the handshake timeout end. */
    @Test
    default void givesAHandshakeThatHasBegunASecondWhenItStops() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        TlsLayer layer =
                new TlsLayer(harness().tls(), harness().workers(1), harness().timers(), Duration.ofMinutes(5));
        Transport transport = harness().acceptPlain(connection -> {
            layer.open(connection, ready -> ready.close(null));
            opened.countDown();
        });
        RawClient client = harness().connectPlain().send(new byte[] {22, 3, 1});
        Deadline.await(opened);
        Deadline.await(transport.stop(Duration.ofMinutes(5)));
        client.awaitClose();
    }

    @Test
    @DiffersByTransport
    default void survivesPeersThatGoAwayInTheirHandshake() throws Exception {
        TlsLayer layer =
                new TlsLayer(harness().tls(), harness().workers(2), harness().timers(), Deadline.DEFAULT);
        harness().acceptPlain(connection -> layer.open(connection, ready -> ready.close(null)));
        byte[] hello = harness().tls().clientHello();
        for (int i = 0; i < 60; i++) {
            RawClient client = harness().connectPlain().send(java.util.Arrays.copyOf(hello, hello.length * i / 50 + 1));
            if (i % 2 == 0) {
                client.reset();
            } else {
                client.close();
            }
        }
        Deadline.await("all to be counted", () -> layer.failedHandshakes() == 60);
    }

    /** Clients that connect and disconnect at once must not cost the server handshake computations. */
    @Test
    default void answersNobodyWhoWasGoneWhenItsHandshakeHadItsTurn() throws Exception {
        long wrapped = 1;
        for (int millis = 200; wrapped > 0 && millis < 10_000; millis *= 5) { // until the I/O thread notices the end
            wrapped = wrappedForOneWhoLeft(Duration.ofMillis(millis));
        }
        assertEquals(0, wrapped);
    }

    /** Returns the calls of wrap for a client that disconnects so long before its handshake is run. */
    private long wrappedForOneWhoLeft(Duration early) throws Exception {
        CountingEngine.Counts counts = new CountingEngine.Counts();
        TestTls tls = harness().tls();
        BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
        TlsLayer layer = new TlsLayer(
                (name, remote) -> new CountingEngine(tls.create(name, remote), counts),
                waiting::add,
                harness().timers(),
                Deadline.DEFAULT);
        harness().acceptPlain(connection -> layer.open(connection, ready -> ready.close(null)));
        RawClient client = harness().connectPlain().send(harness().tls().clientHello());
        Runnable turn = waiting.poll(Deadline.DEFAULT.toSeconds(), TimeUnit.SECONDS);
        assertNotNull(turn);
        client.reset();
        Deadline.pass(early);
        harness().workers(1).execute(turn);
        Deadline.await("it to be counted", () -> layer.failedHandshakes() == 1);
        return counts.wrapped();
    }

    /**
     * With client certificates, a handshake often ends on a thread of the handshake pool, and the first request may have arrived
     * with it: that must not be processed on one of those few threads.
     */
    @Test
    default void goesOnWithHandshakesWhileOthersServeTheirFirstRequest() throws Exception {
        int slow = 3 * Runtime.getRuntime().availableProcessors();
        TestTls mutual = harness().tls().mutual();
        TlsLayer layer =
                new TlsLayer(mutual, harness().workers(slow + 2), harness().timers(), Deadline.DEFAULT);
        CompletableFuture<Void> release = new CompletableFuture<>();
        AtomicInteger served = new AtomicInteger();
        harness()
                .acceptPlain(connection -> layer.open(connection, ready -> {
                    boolean mayBlock = !Thread.currentThread()
                            .getName()
                            .startsWith(harness().name());
                    if (mayBlock && served.incrementAndGet() <= slow) {
                        release.join(); // longer than any client waits for its handshake
                    }
                    ready.close(null);
                }));
        try {
            for (int i = 0; i < 10 * slow && served.get() < slow; i++) {
                harness().connectPlain().secured(mutual);
            }
            harness().connectPlain().secured(mutual).awaitClose();
        } finally {
            release.complete(null);
        }
        assertEquals(0, layer.failedHandshakes());
    }

    @Test
    default void servesClientsOfTls12() throws Exception {
        harness().serve(Probe::echo);
        RawClient client = harness().connectPlain().secured(harness().tls().speaking("TLSv1.2"));
        byte[] much = Patterns.bytes(100_000, 12);
        client.send(much);
        org.junit.jupiter.api.Assertions.assertArrayEquals(much, client.read(much.length));
        client.close();
        assertNull(harness().accepted().awaitClosed());
    }

    @Test
    default void resumesSessions() throws Exception {
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            harness().serve(Probe::echo);
            TestTls clients = harness().tls().speaking(version);
            long first = 0;
            for (int i = 0; i < 3; i++) {
                RawClient client = harness().connectPlain().secured(clients);
                assertEquals("x", client.send("x").readText(1));
                var session = ((javax.net.ssl.SSLSocket) client.socket()).getSession();
                if (i == 0) {
                    first = session.getCreationTime();
                } else {
                    assertEquals(first, session.getCreationTime(), "resumed, " + version);
                }
                client.close();
            }
        }
    }
}
