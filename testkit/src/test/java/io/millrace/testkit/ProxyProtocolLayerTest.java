package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.FrontEnd;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.proxyprotocol.ProxyProtocol.Presence;
import io.millrace.proxyprotocol.ProxyProtocolLayer;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The PROXY protocol's layer … The peer of a scripted connection is loopback. */
class ProxyProtocolLayerTest {

    private static final AddressSet LOOPBACK = AddressSet.parse("127.0.0.0/8, ::1");
    private static final AddressSet OTHERS = AddressSet.parse("10.0.0.0/8");
    private static final String LINE = "PROXY TCP4 198.51.100.7 192.0.2.1 4711 443\r\n";

    /** Version 2, the same addresses; and a field that says that the client came by TLS. */
    private static final byte[] BLOCK = HexFormat.of()
            .parseHex("0d0a0d0a000d0a515549540a" + "2111" + "0014" + "c6336407c0000201126701bb" + "2000050100000000");

    private final ScriptedConnection socket = new ScriptedConnection();
    private @Nullable Connection above;
    private final StringBuilder received = new StringBuilder();
    private boolean ended;
    private int closed;

    @Test
    void givesAConnectionOfTheClient() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive(LINE);
        assertEquals("/198.51.100.7:4711", above().channel().info().remote().toString());
        assertEquals("/192.0.2.1:443", above().channel().info().local().toString());
        assertFalse(above().channel().info().isSecure());
        assertSame(FrontEnd.SILENT, above().channel().info().frontEnd());
        assertEquals(Duration.ZERO, socket.timeout());
        socket.receive("GET /");
        assertEquals("GET /", received.toString());
    }

    @Test
    void passesOnWhatFollowsTheHeaderInTheSameChunk() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive(LINE + "GET /").receive(" HTTP/1.1").receiveEnd();
        assertEquals("GET / HTTP/1.1", received.toString());
        assertTrue(ended);
        assertNoLeak();
    }

    @Test
    void isSecureIfTheClientCameByTls() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive(BLOCK);
        assertTrue(above().channel().info().isSecure());
        assertEquals("/198.51.100.7:4711", above().channel().info().remote().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQUIRED", "OPTIONAL"})
    void takesAHeaderByteByByte(String presence) {
        openDripping(settings(Presence.valueOf(presence), LOOPBACK));
        socket.receive(BLOCK).receive("GET / HTTP/1.1");
        assertEquals("/198.51.100.7:4711", above().channel().info().remote().toString());
        assertEquals("GET / HTTP/1.1", received.toString());
        assertNoLeak();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "PRI * HTTP/2.0\r\n\r\nSM",
                "PUT /",
                "PROXIMATE",
                "\r\n\r\nGET /",
                "\r\n\r\n\u0000\r\nQUIET",
                "\u0016\u0003\u0001\u0002",
                "P",
                "PROXY",
                ""
            })
    void losesNoByteOfAnOptionalHeaderThatIsNotThere(String text) {
        open(settings(Presence.OPTIONAL, LOOPBACK));
        socket.receive(text.getBytes(StandardCharsets.ISO_8859_1)).receiveEnd();
        assertEquals(text, received.toString());
        assertTrue(ended);
        assertEquals(
                "localhost/127.0.0.1:50000", above().channel().info().remote().toString());
        assertNoLeak();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "PRI * HTTP/2.0", "\r\n\r\n\u0000\r\nQUIET", "PROXY", "P"})
    void losesNoByteOfThemOneByOne(String text) {
        openDripping(settings(Presence.OPTIONAL, LOOPBACK));
        socket.receive(text).receiveEnd();
        assertEquals(text, received.toString());
        assertTrue(ended);
        assertNoLeak();
    }

    @Test
    void closesATrustedConnectionWithoutTheRequiredHeader() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive("GET / HTTP/1.1\r\n\r\n");
        assertClosed();
    }

    @Test
    void closesAConnectionWithABrokenHeader() {
        open(settings(Presence.OPTIONAL, LOOPBACK));
        socket.receive("PROXY TCP4 1.2.3.4 5.6.7.8 1 99999\r\nGET /");
        assertClosed();
    }

    @Test
    void closesAConnectionThatEndsWithinItsHeader() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive("PROXY TCP4").receiveEnd();
        assertClosed();
    }

    @Test
    void closesQuietlyWhoOnlyLooks() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receiveEnd();
        assertClosed();
    }

    @Test
    void readsNothingFromAStrangerIfTheHeaderIsRequired() {
        open(settings(Presence.REQUIRED, OTHERS));
        assertClosed();
    }

    @Test
    void neverBelievesAStrangersHeader() {
        open(settings(Presence.OPTIONAL, OTHERS));
        assertSame(socket, above());
        socket.receive(LINE);
        assertEquals(LINE, received.toString());
    }

    @Test
    void usesTheRealAddressesOfAFrontEndThatSpeaksForItself() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive(HexFormat.of().parseHex("0d0a0d0a000d0a515549540a20000000"));
        assertSame(socket.channel().info(), above().channel().info());
    }

    @Test
    void waitsForTheWholeHeaderNoLongerThanItsTimeout() {
        open(settings(Presence.REQUIRED, LOOPBACK).with(ProxyProtocol.TIMEOUT, Duration.ofMillis(50)));
        socket.receive("PROXY ");
        assertTrue(socket.timeout().compareTo(Duration.ofMillis(50)) <= 0);
        Deadline.pass(Duration.ofMillis(60));
        socket.receive("TCP4 ");
        assertClosed();
    }

    @Test
    void closesAConnectionWhoseHeaderDoesNotCome() {
        open(settings(Presence.REQUIRED, LOOPBACK).with(ProxyProtocol.TIMEOUT, Duration.ofMillis(1)));
        Deadline.pass(Duration.ofMillis(2));
        socket.idle();
        assertClosed();
    }

    @Test
    void passesOnAClientThatWaitsForTheServerIfTheHeaderIsOptional() {
        open(settings(Presence.OPTIONAL, LOOPBACK).with(ProxyProtocol.TIMEOUT, Duration.ofMillis(1)));
        Deadline.pass(Duration.ofMillis(2));
        socket.idle();
        assertSame(socket, above());
    }

    @Test
    void closesAConnectionThatHasSaidNothingWhenItDrains() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.drain();
        assertClosed();
    }

    @Test
    void givesAHeaderThatHasBegunASecondWhenItDrains() {
        open(settings(Presence.REQUIRED, LOOPBACK).with(ProxyProtocol.TIMEOUT, Duration.ofMinutes(5)));
        socket.receive("PROXY ").drain();
        assertFalse(socket.isClosed());
        assertTrue(socket.timeout().compareTo(ConnectionHandler.DRAIN_LIMIT) <= 0);
        Deadline.pass(ConnectionHandler.DRAIN_LIMIT);
        socket.idle();
        assertClosed();
    }

    @Test
    void passesOnAClientWhoseHeaderIsWholeSoonAfterItDrains() {
        open(settings(Presence.REQUIRED, LOOPBACK));
        socket.receive("PROXY ").drain().receive(LINE.substring(6));
        assertEquals("/198.51.100.7:4711", above().channel().info().remote().toString());
    }

    @Test
    void releasesWhatCameEarlyIfTheConnectionIsClosedBeforeItIsRead() {
        new ProxyProtocolLayer(settings(Presence.REQUIRED, LOOPBACK)).open(socket, connection -> {
            above = connection;
            connection.install(new Receiver(connection));
        });
        socket.receive(LINE + "GET /").breakOff();
        assertEquals(1, closed);
        assertNoLeak();
    }

    @Test
    void callsAHandlerAgainThatAwaitsWhileEarlyBytesAreThere() {
        new ProxyProtocolLayer(settings(Presence.REQUIRED, LOOPBACK)).open(socket, connection -> {
            above = connection;
            connection.install(new Receiver(connection));
            connection.awaitReadable();
        });
        socket.receive(LINE + "GET /");
        assertEquals("GET /", received.toString());
    }

    @Test
    void callsAHandlerThatAwaitsAndDoesNotReadAgainAndAgainWithoutRecursion() {
        class Reluctant implements ConnectionHandler {
            private final Connection connection;
            private int left = 100_000;
            private int depth;

            Reluctant(Connection connection) {
                this.connection = connection;
            }

            @Override
            public void onReadable() {
                assertTrue(depth++ < 2, "within the call that sets it going, and not deeper");
                if (left-- > 0) {
                    connection.awaitReadable();
                } else {
                    new Receiver(connection).onReadable();
                }
                depth--;
            }

            @Override
            public void onIdle() {}

            @Override
            public void onClosed(@Nullable Throwable cause) {}

            @Override
            public void drain() {}
        }
        new ProxyProtocolLayer(settings(Presence.REQUIRED, LOOPBACK)).open(socket, connection -> {
            Reluctant handler = new Reluctant(connection);
            connection.install(handler);
            handler.onReadable();
        });
        socket.receive(LINE + "GET /");
        assertEquals("GET /", received.toString());
        assertNoLeak();
    }

    private static Settings settings(Presence presence, AddressSet trusted) {
        return Settings.DEFAULTS.with(ProxyProtocol.PRESENCE, presence).with(ProxyProtocol.TRUSTED, trusted);
    }

    private void open(Settings settings) {
        socket.run(() -> new ProxyProtocolLayer(settings).open(socket, this::ready));
    }

    private void openDripping(Settings settings) {
        socket.run(() -> new ProxyProtocolLayer(settings).open(new DripConnection(socket), this::ready));
    }

    private void ready(Connection connection) {
        above = connection;
        Receiver receiver = new Receiver(connection);
        connection.install(receiver);
        receiver.onReadable();
    }

    private Connection above() {
        assertNotNull(above, "the layer has not passed the connection on");
        return above;
    }

    private void assertClosed() {
        assertTrue(socket.isClosed());
        assertNull(above);
        assertEquals("", socket.sent());
        assertNoLeak();
    }

    private void assertNoLeak() {
        assertEquals(0, socket.channel().buffers().outstanding());
    }

    /** Takes all there is. */
    private final class Receiver implements ConnectionHandler {

        private final Connection connection;

        Receiver(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void onReadable() {
            try {
                for (Chunk chunk = connection.read(); chunk != null; chunk = connection.read()) {
                    if (chunk.isEnd()) {
                        ended = true;
                        return;
                    }
                    received.append(StandardCharsets.ISO_8859_1.decode(chunk.bytes()));
                    chunk.release();
                }
                connection.awaitReadable();
            } catch (IOException broken) {
                connection.close(broken);
            }
        }

        @Override
        public void onIdle() {
            connection.awaitReadable();
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            closed++;
        }

        @Override
        public void drain() {}
    }
}
