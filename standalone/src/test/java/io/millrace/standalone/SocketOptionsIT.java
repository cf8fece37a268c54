package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Connectors ask of the system for their sockets, as peers and the system's tools see it: on each transport … */
@NullUnmarked
final class SocketOptionsIT {

    private static final List<String> TRANSPORTS = Transports.installed();

    /** Of each transport, in this order. */
    private static final String CONNECTORS = """
            <Connector port='0' protocol='TRANSPORT'/>
            <Connector port='0' protocol='TRANSPORT' address='127.0.0.1' acceptCount='17' socket.rxBufSize='30000'
                socket.txBufSize='40000' socket.soKeepAlive='true' tcpNoDelay='false'/>
            <Connector port='0' protocol='TRANSPORT' address='127.0.0.1' socket.tcpNoDelay='false' keepAliveTimeout='1000'
                connectionLinger='0'/>
            <Connector port='0' protocol='TRANSPORT' address='127.0.0.1' keepAliveTimeout='300' socket.soLingerOn='true'
                socket.soLingerTime='0'/>
            <Connector port='0' protocol='TRANSPORT' address='127.0.0.1' keepAliveTimeout='300'/>
            """;

    private static final int DEFAULTS = 0;
    private static final int ASKING = 1;
    private static final int RESETTING = 2;
    private static final int RESETTING_TOO = 3;
    private static final int QUICK = 4;
    private static final int CONNECTORS_OF_EACH = 5;

    private static final String GET = "GET /where HTTP/1.1\r\nHost: localhost\r\n\r\n";

    /** Linux sends ten segments before it waits to be told that they came. */
    private static final int PIECES = 9;

    private static final Pattern SEGMENTS = Pattern.compile("data_segs_out:(\\d+)");

    @TempDir
    private static Path base;

    private static ProbeServer server;

    @BeforeAll
    static void start() throws Exception {
        StringBuilder connectors = new StringBuilder();
        TRANSPORTS.forEach(transport -> connectors.append(CONNECTORS.replace("TRANSPORT", transport)));
        server = ProbeServer.serving(base, connectors.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<String> transports() {
        return TRANSPORTS;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void addressAndBacklog(String transport) throws Exception {
        int everywhere = port(transport, DEFAULTS);
        assertEquals("100 *:" + everywhere, listening(everywhere));
        int here = port(transport, ASKING);
        assertTrue(listening(here).matches("17 (\\[::ffff:)?127\\.0\\.0\\.1]?:" + here), listening(here));
    }

    /** Linux counts twice what it is asked to hold. */
    @ParameterizedTest
    @MethodSource("transports")
    void sizesOfBuffers(String transport) throws Exception {
        try (RawClient client = RawClient.connect(port(transport, ASKING))) {
            client.send(GET).readUntil("\r\n\r\n");
            String connected = Command.succeed("ss", "-Htnm", "sport = :" + port(transport, ASKING));
            assertTrue(connected.contains(",rb60000,") && connected.contains(",tb80000,"), connected);
        }
    }

    /** The system's timer runs once the client has said that it has all. */
    @ParameterizedTest
    @MethodSource("transports")
    void probesOfIdleConnections(String transport) throws Exception {
        try (RawClient plain = RawClient.connect(port(transport, DEFAULTS));
                RawClient probed = RawClient.connect(port(transport, ASKING))) {
            plain.send(GET).readUntil("\r\n\r\n");
            probed.send(GET).readUntil("\r\n\r\n");
            Deadline.await("the system's timer", () -> seen(probed).contains("timer:(keepalive,"));
            assertTrue(!seen(plain).contains("keepalive"), seen(plain));
        }
    }

    /** A peer that says late what it has gets each piece by itself, or with those that have come meanwhile. */
    @ParameterizedTest
    @MethodSource("transports")
    void smallPieces(String transport) {
        Deadline.await("a segment for each", () -> hasSegments(transport, DEFAULTS, sent -> sent >= PIECES));
        for (int connector : List.of(ASKING, RESETTING)) {
            Deadline.await("few segments", () -> hasSegments(transport, connector, sent -> sent < PIECES / 2));
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void endsOfConnections(String transport) throws Exception {
        assertEquals("end", endOfConnection(transport, QUICK));
        String reset = "Connection reset";
        if (transport.equals("nio2")) { // Java's asynchronous channels can't
            server.product().awaitLine("connectionLinger=\"0\" on Connector is ignored");
            reset = "end";
        }
        assertEquals(reset, endOfConnection(transport, RESETTING));
        assertEquals(reset, endOfConnection(transport, RESETTING_TOO));
    }

    private static int port(String transport, int connector) {
        return server.port(TRANSPORTS.indexOf(transport) * CONNECTORS_OF_EACH + connector);
    }

    /** Backlog and address. */
    private static String listening(int port) throws Exception {
        String[] words =
                Command.succeed("ss", "-Hltn", "sport = :" + port).strip().split("\\s+", -1);
        return words[2] + " " + words[3];
    }

    /** The server's end of a connection. */
    private static String seen(RawClient client) {
        try {
            return Command.succeed(
                    "ss",
                    "-Htnio",
                    "sport = :" + client.socket().getPort() + " and dport = :"
                            + client.socket().getLocalPort());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Asks for pieces, and looks how many segments they came in. False also if the connection is gone when it looks. */
    private static boolean hasSegments(String transport, int connector, IntPredicate expected) {
        try (RawClient client = RawClient.connect(port(transport, connector))) {
            takeTimeToAcknowledge(client.socket());
            client.send("GET /pieces?count=" + PIECES + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readUntil("\r\n0\r\n\r\n");
            Matcher segments = SEGMENTS.matcher(seen(client));
            return segments.find() && expected.test(Integer.parseInt(segments.group(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By an option of the JDK's module jdk.net, which nothing here needs otherwise. */
    @SuppressWarnings("unchecked")
    private static void takeTimeToAcknowledge(Socket socket) throws IOException {
        for (SocketOption<?> option : socket.supportedOptions()) {
            if (option.name().equals("TCP_QUICKACK")) {
                socket.setOption((SocketOption<Boolean>) option, false);
            }
        }
    }

    private static String endOfConnection(String transport, int connector) throws IOException {
        try (RawClient client = RawClient.connect(port(transport, connector))) {
            client.send(GET).readTextToEnd();
            return "end";
        } catch (SocketException reset) {
            return String.valueOf(reset.getMessage());
        }
    }
}
