package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http1.Http1Protocol;
import io.millrace.net.AddressSet;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolChooser;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.proxyprotocol.ProxyProtocolLayer;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.ContractServer;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.ScriptedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A port of two protocols … */
class ProtocolChooserTest {

    private static final String GET = "GET /hello?a HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final byte[] PING = AjpPacket.ping();
    private static final String PONG = "[CPONG]";

    private final ScriptedConnection connection = new ScriptedConnection();
    private final ContractServer server = new ContractServer();

    @AfterEach
    void holdsNoChunk() {
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    @Test
    void takesAnyTokenForAnHttpMethod() {
        open();
        connection.receive(GET.replace("GET", "PURGE"));
        assertTrue(connection.sent().startsWith("HTTP/1.1 200 "), connection.sent());
    }

    @Test
    void knowsAjpByItsFirstTwoBytes() {
        open();
        connection.receive(Arrays.copyOf(PING, 1));
        assertTrue(connection.isAwaiting());
        assertEquals(0, connection.channel().buffers().outstanding());
        connection.receive(Arrays.copyOfRange(PING, 1, PING.length));
        assertEquals(PONG, sentPackets());
    }

    @Test
    void givesTheTimeToRecogniseItOnceAndThenTheProtocolsOwn() {
        open();
        Duration first = connection.timeout();
        assertTrue(first.compareTo(SharedPort.TIMEOUT) <= 0 && first.compareTo(Duration.ofSeconds(15)) > 0);
        connection.receive(Arrays.copyOf(PING, 1));
        assertTrue(connection.timeout().compareTo(first) <= 0);
        connection.receive(Arrays.copyOfRange(PING, 1, PING.length));
        assertEquals(Duration.ZERO, connection.timeout()); // AJP's default
    }

    @Test
    void closesWhoeverSaysTooLittleForTooLong() {
        open();
        connection.receive(Arrays.copyOf(PING, 1)).idle();
        assertClosedInSilence();
    }

    @Test
    void closesWhoeverOnlyLooksWhetherThePortIsOpen() {
        open();
        connection.receiveEnd();
        assertClosedInSilence();
    }

    @Test
    void closesAnIdleConnectionWhenTheServerStops() {
        open();
        connection.drain();
        assertClosedInSilence();
    }

    @Test
    void waitsASecondForTheRestOfWhatHasBegunWhenTheServerStops() {
        open();
        connection.receive(Arrays.copyOf(PING, 1)).drain();
        assertTrue(connection.isAwaiting());
        assertTrue(connection.timeout().compareTo(Duration.ofSeconds(1)) <= 0);
        connection.idle();
        assertClosedInSilence();
    }

    /** AJP closes the connection and logs a message. */
    @Test
    void leavesHalfAPrefaceToTheProtocolThatMayHaveBegun() {
        open();
        connection.receive(Arrays.copyOf(PING, 1)).receiveEnd();
        assertTrue(connection.isClosed());
        assertEquals("", connection.sent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0016\u0003\u0001", "\u00125", "\u0000"})
    void leavesWhatNobodyKnowsToTheFirstProtocolToRefuse(String bytes) {
        open();
        connection.receive(bytes);
        assertTrue(connection.sent().startsWith("HTTP/1.1 400 "), connection.sent());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void standsAboveTheProxyProtocol(boolean ajp) {
        ProxyProtocolLayer layer = new ProxyProtocolLayer(Settings.DEFAULTS
                .with(ProxyProtocol.PRESENCE, ProxyProtocol.Presence.REQUIRED)
                .with(ProxyProtocol.TRUSTED, AddressSet.parse("127.0.0.0/8")));
        connection.run(() -> layer.open(
                new DripConnection(connection), above -> SharedPort.chooser().open(above, server)));
        connection.receive("PROXY TCP4 198.51.100.7 192.0.2.1 4711 443\r\n");
        assertEquals("", connection.sent());
        if (ajp) {
            connection.receive(PING);
            assertEquals(PONG, sentPackets());
        } else {
            connection.receive(GET);
            assertTrue(connection.sent().endsWith("hello a"), connection.sent());
        }
    }

    @Test
    void isForSeveralProtocols() {
        List<Protocol> one = List.of(new Http1Protocol(Settings.DEFAULTS, "http"));
        assertThrows(IllegalArgumentException.class, () -> new ProtocolChooser(List.of(), Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new ProtocolChooser(one, Duration.ZERO));
    }

    private void open() {
        connection.run(() -> SharedPort.chooser().open(connection, server));
    }

    private String sentPackets() {
        return PacketNames.of(connection.takeSent().getBytes(StandardCharsets.ISO_8859_1));
    }

    private void assertClosedInSilence() {
        assertTrue(connection.isClosed());
        assertNull(connection.cause());
        assertEquals("", connection.sent());
        assertFalse(connection.isAwaiting());
    }
}
