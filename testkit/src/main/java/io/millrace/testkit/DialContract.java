package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.DialException.Reason;
import io.millrace.io.Dialer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How every transport makes outgoing connections, as {@link Dialer} specifies it. */
interface DialContract {

    Duration LONG = Duration.ofSeconds(60);
    Duration SHORT = Duration.ofMillis(100);

    /** The number of connections that are opened, used and closed, in batches of {@link #TOGETHER}. */
    int MANY = 2_000;

    int TOGETHER = 50;

    TransportHarness harness();

    static java.util.stream.Stream<Throwable> failures() {
        return Failures.all();
    }

    /** An address of an unknown type. */
    final class UnknownAddress extends SocketAddress {
        private static final long serialVersionUID = 1L;
    }

    /** A listening socket whose accept queue is full, so that connection attempts stay pending. */
    final class FullBacklog implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<java.nio.channels.SocketChannel> waiting = new ArrayList<>();

        FullBacklog() throws IOException {
            for (int i = 0; i < 8; i++) {
                java.nio.channels.SocketChannel client = java.nio.channels.SocketChannel.open();
                waiting.add(client);
                client.configureBlocking(false);
                client.connect(address());
            }
        }

        SocketAddress address() {
            return listening.getLocalSocketAddress();
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (java.nio.channels.SocketChannel each : waiting) {
                each.close();
            }
        }
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    /** An address on which no process listens: a port that was just released. */
    private static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket free = listening()) {
            return (InetSocketAddress) free.getLocalSocketAddress();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    @DiffersByTransport
    default void connectsAndTalksBothWaysWithoutATransportThatListens() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        Dialer dialer = harness().dialer();
        try (ServerSocket peer = listening()) {
            DialOutcome outcome = new DialOutcome(probe -> probe.onReadable(input -> take(input, received)));
            dialer.connect(peer.getLocalSocketAddress(), LONG, outcome);
            try (Socket other = peer.accept()) {
                Probe probe = outcome.probe();
                assertEquals(
                        peer.getLocalSocketAddress(),
                        probe.connection().channel().info().remote());
                assertEquals(
                        other.getRemoteSocketAddress(),
                        probe.connection().channel().info().local());
                probe.write(ascii("hello"), failure -> {});
                assertEquals("hello", new String(other.getInputStream().readNBytes(5), StandardCharsets.US_ASCII));
                other.getOutputStream().write(ascii("there"));
                assertEquals("there", received.poll(20, TimeUnit.SECONDS));
                assertEquals(1, dialer.connections());
                other.shutdownOutput();
                probe.awaitClosed();
            }
        }
        Deadline.await("the connection to be counted off", () -> dialer.connections() == 0);
    }

    private static void take(Probe probe, BlockingQueue<String> into) {
        Chunk chunk = probe.read();
        if (chunk == null) {
            if (!probe.isClosed()) {
                probe.connection().awaitReadable();
            }
        } else if (chunk.isEnd()) {
            probe.close();
        } else {
            into.add(StandardCharsets.US_ASCII.decode(chunk.bytes()).toString());
            chunk.release();
            take(probe, into);
        }
    }

    @Test
    default void connectsToItsOwnTransport() throws Exception {
        harness().acceptPlain(connection -> {
            Probe echo = new Probe(connection).onReadable(Probe::echo);
            connection.install(echo);
            echo.onReadable();
        });
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        DialOutcome outcome = new DialOutcome(probe -> probe.onReadable(input -> take(input, received)));
        harness().dialer().connect(harness().address(), LONG, outcome);
        outcome.probe().write(ascii("echo"), failure -> {});
        assertEquals("echo", received.poll(20, TimeUnit.SECONDS));
    }

    @Test
    default void resolvesTheNameOfAHost() throws Exception {
        try (ServerSocket peer = listening()) {
            DialOutcome outcome = new DialOutcome();
            SocketAddress named = InetSocketAddress.createUnresolved("localhost", peer.getLocalPort());
            harness().dialer().connect(named, LONG, outcome);
            outcome.probe();
        }
    }

    @Test
    default void saysThatAHostIsUnknown() throws Exception {
        Dialer dialer = harness().dialer();
        DialOutcome outcome = new DialOutcome();
        dialer.connect(InetSocketAddress.createUnresolved("no such host", 80), LONG, outcome);
        failsBy(Reason.UNKNOWN_HOST, outcome, dialer);
        assertTrue(
                String.valueOf(outcome.failure()).contains("no such host:80"),
                outcome.failure().toString());
    }

    @Test
    @DiffersByTransport
    default void saysThatNobodyListens() throws Exception {
        Dialer dialer = harness().dialer();
        InetSocketAddress closed = closedPort();
        DialOutcome outcome = new DialOutcome();
        dialer.connect(closed, LONG, outcome);
        failsBy(Reason.REFUSED, outcome, dialer);
        assertTrue(
                String.valueOf(outcome.failure()).contains(":" + closed.getPort()),
                outcome.failure().toString());
    }

    @Test
    default void saysThatItDoesNotKnowAKindOfAddress() throws Exception {
        Dialer dialer = harness().dialer();
        DialOutcome outcome = new DialOutcome();
        dialer.connect(new UnknownAddress(), LONG, outcome);
        failsBy(Reason.UNSUPPORTED, outcome, dialer);
    }

    @Test
    @DiffersByTransport
    default void failsWithoutAnAnswerInTime() throws Exception {
        Dialer dialer = harness().dialer();
        try (FullBacklog full = new FullBacklog()) {
            DialOutcome outcome = new DialOutcome();
            dialer.connect(full.address(), SHORT, outcome);
            failsBy(Reason.TIMED_OUT, outcome, dialer);
        }
    }

    @Test
    default void givesUpWhenCancelled() throws Exception {
        Dialer dialer = harness().dialer();
        try (FullBacklog full = new FullBacklog()) {
            DialOutcome outcome = new DialOutcome();
            Dialer.Dial dial = dialer.connect(full.address(), LONG, outcome);
            assertEquals(1, dialer.connections());
            dial.cancel();
            dial.cancel();
            failsBy(Reason.CANCELLED, outcome, dialer);
        }
    }

    @Test
    default void takesACancelThatComesTooLate() throws Exception {
        Dialer dialer = harness().dialer();
        try (ServerSocket peer = listening()) {
            DialOutcome outcome = new DialOutcome();
            Dialer.Dial dial = dialer.connect(peer.getLocalSocketAddress(), LONG, outcome);
            Probe probe = outcome.probe();
            dial.cancel();
            DialOutcome next = new DialOutcome();
            dialer.connect(peer.getLocalSocketAddress(), LONG, next);
            next.probe();
            assertFalse(probe.isClosed());
            assertEquals(1, outcome.calls());
        }
    }

    @Test
    default void failsTheDialsUnderWayWhenItStops() throws Exception {
        Dialer dialer = harness().dialer();
        try (FullBacklog full = new FullBacklog()) {
            DialOutcome outcome = new DialOutcome();
            dialer.connect(full.address(), LONG, outcome);
            Deadline.await(dialer.stop(LONG));
            failsBy(Reason.STOPPED, outcome, dialer);
        }
        DialOutcome late = new DialOutcome();
        dialer.connect(closedPort(), LONG, late);
        failsBy(Reason.STOPPED, late, dialer);
    }

    @Test
    default void drainsItsConnectionsWhenItStops() throws Exception {
        Dialer dialer = harness().dialer();
        try (ServerSocket peer = listening()) {
            DialOutcome outcome = new DialOutcome(probe -> probe.onReadable(Probe::echo));
            dialer.connect(peer.getLocalSocketAddress(), LONG, outcome);
            Probe probe = outcome.probe();
            Deadline.await(dialer.stop(LONG));
            assertTrue(probe.isDraining());
            probe.awaitClosed();
            assertEquals(0, dialer.connections());
        }
    }

    @Test
    @DiffersByTransport
    default void closesItsConnectionsWhenTheGraceIsOver() throws Exception {
        Dialer dialer = harness().dialer();
        try (ServerSocket peer = listening()) {
            DialOutcome outcome = new DialOutcome();
            dialer.connect(peer.getLocalSocketAddress(), LONG, outcome);
            Probe probe = outcome.probe();
            Deadline.await(dialer.stop(SHORT));
            assertTrue(probe.awaitClosed() instanceof IOException);
        }
    }

    @Test
    default void tellsThatThePeerIsIdle() throws Exception {
        try (ServerSocket peer = listening()) {
            DialOutcome outcome = new DialOutcome(probe -> probe.connection().idleTimeout(SHORT));
            harness().dialer().connect(peer.getLocalSocketAddress(), LONG, outcome);
            outcome.probe().awaitClosed();
            assertEquals(1, outcome.probe().idlings());
        }
    }

    @Test
    default void wantsATimeout() throws Exception {
        Dialer dialer = harness().dialer();
        assertThrows(
                IllegalArgumentException.class,
                () -> dialer.connect(new UnknownAddress(), Duration.ZERO, new DialOutcome()));
    }

    @ParameterizedTest
    @MethodSource("failures")
    default void survivesWhatItsListenersThrow(Throwable thrown) throws Exception {
        Dialer dialer = harness().dialer();
        try (ServerSocket peer = listening()) {
            Dialer.Listener bad = new Dialer.Listener() {
                @Override
                public void onConnected(Connection connection) {
                    Failures.sneak(thrown);
                }

                @Override
                public void onFailed(DialException failure) {
                    Failures.sneak(thrown);
                }
            };
            dialer.connect(peer.getLocalSocketAddress(), LONG, bad);
            try (Socket other = peer.accept()) {
                assertEquals(-1, readQuietly(other.getInputStream()));
            }
            dialer.connect(new UnknownAddress(), LONG, bad);
            Deadline.await("both to be removed from the count", () -> dialer.connections() == 0);
            DialOutcome good = new DialOutcome();
            dialer.connect(peer.getLocalSocketAddress(), LONG, good);
            good.probe();
        }
    }

    /** Reads; a reset counts as the end, because closing a connection with unread input resets it. */
    private static int readQuietly(InputStream in) {
        try {
            return in.read();
        } catch (IOException reset) {
            return -1;
        }
    }

    @Test
    default void leavesNothingBehindOfManyConnections() throws Exception {
        harness().acceptPlain(connection -> {
            Probe echo = new Probe(connection).onReadable(Probe::echo);
            connection.install(echo);
            echo.onReadable();
        });
        Dialer dialer = harness().dialer();
        InetSocketAddress closed = closedPort();
        for (int round = 0; round < MANY / TOGETHER; round++) {
            List<DialOutcome> outcomes = new ArrayList<>();
            for (int i = 0; i < TOGETHER; i++) {
                DialOutcome outcome = new DialOutcome();
                outcomes.add(outcome);
                boolean refused = i % 5 == 0;
                Dialer.Dial dial = dialer.connect(refused ? closed : harness().address(), LONG, outcome);
                if (i % 5 == 1) {
                    dial.cancel();
                }
            }
            for (int i = 0; i < TOGETHER; i++) {
                DialOutcome outcome = outcomes.get(i);
                if (i % 5 > 1) {
                    Probe probe = outcome.probe();
                    probe.write(ascii("x"), failure -> probe.close());
                } else if (i % 5 == 0) {
                    assertEquals(Reason.REFUSED, outcome.failure().reason());
                }
            }
        }
        assertCancelledOnesAreGone(dialer);
    }

    /** Stops the dialer: a cancelled dial may have connected before, and its connection is then still open. */
    private static void assertCancelledOnesAreGone(Dialer dialer) throws Exception {
        Deadline.await(dialer.stop(SHORT));
        assertEquals(0, dialer.connections());
    }

    private static void failsBy(Reason reason, DialOutcome outcome, Dialer dialer) throws Exception {
        DialException failure = outcome.failure();
        assertEquals(reason, failure.reason(), () -> String.valueOf(failure));
        Deadline.await("the dial to be removed from the count", () -> dialer.connections() == 0);
        assertEquals(1, outcome.calls());
    }
}
