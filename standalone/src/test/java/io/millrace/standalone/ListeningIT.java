package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Where and when Connectors listen: the server … */
final class ListeningIT {

    private static final String GET = "GET /where HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    /** Listens on a free port, tells which, and becomes the command with the socket as its standard input, as inetd does. */
    private static final String INETD = """
            use IO::Socket::INET;
            use POSIX ();
            my $listening = IO::Socket::INET->new(Listen => 50, LocalAddr => "127.0.0.1", LocalPort => 0) or die $!;
            $| = 1;
            print "listening on ", $listening->sockport, "\\n";
            POSIX::dup2(fileno($listening), 0) or die $!;
            exec @ARGV or die $!;
            """;

    @TempDir
    private Path base = Path.of("");

    @Test
    void startsWithoutAConnectorThatNeedNotListen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ProbeServer server = ProbeServer.serving(
                        base,
                        "<Connector port='%d' address='127.0.0.1' throwOnFailure='false'/>"
                                        .formatted(taken.getLocalPort())
                                + "<Connector port='0' address='127.0.0.1'/>")) {
            assertEquals(200, Curl.status(server.url(0, "/where")));
            String line = server.product().awaitLine("MILLRACE0007");
            assertTrue(line.contains("127.0.0.1:" + taken.getLocalPort() + ": Address already in use"), line);
            assertEquals(1, server.product().ports().size(), server.product().output());
        }
    }

    @Test
    @NeedsConnector("nio")
    void servesOnASocketFileAndRemovesItInTheEnd() throws Exception {
        Path file = base.resolve("run/socket");
        Files.createDirectories(base.resolve("run"));
        String connector = "<Connector unixDomainSocketPath='run/socket' unixDomainSocketPathPermissions='rw-------'/>";
        try (ProbeServer server = ProbeServer.serving(base, connector)) {
            String answer = Curl.run("--unix-socket", file.toString(), "http://localhost/where");
            assertTrue(answer.contains("remote 127.0.0.1 0"), answer);
            assertEquals(
                    "[OWNER_READ, OWNER_WRITE]",
                    List.copyOf(Files.getPosixFilePermissions(file)).stream()
                            .sorted()
                            .toList()
                            .toString());
            assertEquals(
                    0,
                    server.product().terminate().exitStatus(),
                    server.product().output());
            assertFalse(Files.exists(file));
        }
    }

    @Test
    @NeedsConnector("nio")
    void servesOnTheSocketItWasStartedWithAndStillLogs() throws Exception {
        ProbeServer.prepare(base, "<Connector useInheritedChannel='true'/>", "<Host name='localhost'/>", "");
        try (Product product = Product.process().by("perl", "-e", INETD).launch("start", "--base=" + base)) {
            String listening = product.awaitLine("listening on ");
            int port = Integer.parseInt(listening.substring("listening on ".length()));
            String answer = Curl.run("http://127.0.0.1:" + port + "/where");
            assertTrue(answer.contains("local 127.0.0.1 " + port), answer);
            product.awaitStart();
            product.terminate();
            product.awaitLine("MILLRACE0003");
            assertEquals(0, product.exitStatus(), product.output());
        }
    }

    /** As a .socket unit does; on Java 17 too. */
    @ParameterizedTest
    @CsvSource({"nio, 25", "bio, 17", "apr, 25"})
    @NeedsConnector({"bio", "apr"})
    void servesOnTheSocketsThatSystemdNames(String transport, int java) throws Exception {
        int port = LocalPort.free();
        int other = LocalPort.free();
        ProbeServer.prepare(
                base,
                "<Connector inheritedSocket='web' protocol='" + transport + "'/>",
                "<Host name='localhost'/>",
                "");
        // the program starts the server with the first connection
        try (Product product = Product.process()
                        .environment(Map.of(
                                "JAVA_HOME",
                                InstalledJava.home(java).orElseThrow().toString(),
                                "MILLRACE_ARCHIVE",
                                "off"))
                        .by(
                                "systemd-socket-activate",
                                "--fdname=spare:web",
                                "--setenv=JAVA_HOME",
                                "--setenv=MILLRACE_ARCHIVE",
                                "--listen=127.0.0.1:" + other,
                                "--listen=127.0.0.1:" + port)
                        .launch("start", "--base=" + base);
                RawClient first = connected(port)) {
            first.send(GET);
            String answer = first.readTextToEnd();
            assertTrue(answer.contains("local 127.0.0.1 " + port), answer);
            product.awaitLine("No Connector uses the inherited socket \"spare\"");
            assertEquals(200, Curl.status("http://127.0.0.1:" + port + "/where"));
            product.terminate();
            assertEquals(0, product.exitStatus(), product.output());
        }
    }

    /** All but apr, which does not listen without accepting. */
    static Stream<String> thoseThatPause() {
        return AllTransports.TRANSPORTS.stream().filter(each -> !each.equals("apr"));
    }

    @ParameterizedTest
    @MethodSource("thoseThatPause")
    void letsClientsWaitForItsApplicationsIfItBindsOnInit(String transport) throws Exception {
        Path go = base.resolve("go");
        int port = LocalPort.free();
        String connector =
                "<Connector port='" + port + "' address='127.0.0.1' protocol='" + transport + "' bindOnInit='true'/>";
        ProbeServer.prepare(base, connector, "<Host name='localhost'/>", go.toString());
        try (Product product = Product.process().launch("start", "--base=" + base);
                RawClient early = connected(port)) {
            early.send(GET);
            CompletableFuture<String> second = Command.outputOf(Curl.start("http://127.0.0.1:" + port + "/where"));
            assertFalse(product.has("MILLRACE0001"), product.output());
            Files.createFile(go);
            String answer = early.readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(Deadline.await(second).contains("remote 127.0.0.1 "), "the second");
            product.awaitStart();
        }
    }

    /** The server has closed a connection of each port; Linux remembers that for a minute. */
    @Test
    void listensWhereOldConnectionsLingerUnlessItIsToldNotTo() throws Exception {
        StringBuilder connectors = new StringBuilder();
        List<Integer> reused = new ArrayList<>();
        List<Integer> kept = new ArrayList<>();
        for (String transport : AllTransports.TRANSPORTS) {
            String common = "<Connector address='127.0.0.1' throwOnFailure='false' protocol='" + transport + "' port='";
            reused.add(LocalPort.free());
            kept.add(LocalPort.free());
            connectors.append(common).append(reused.get(reused.size() - 1)).append("'/>");
            connectors.append(common).append(kept.get(kept.size() - 1)).append("' socket.soReuseAddress='false'/>");
        }
        try (ProbeServer server = ProbeServer.serving(base, connectors.toString())) {
            for (int port : server.product().ports()) {
                try (RawClient client = RawClient.connect(port)) {
                    client.send(GET).readToEnd();
                }
            }
        }
        try (ProbeServer server = ProbeServer.serving(base, connectors.toString())) {
            assertEquals(reused, server.product().ports());
            for (int port : kept) {
                server.product().awaitLine("127.0.0.1:" + port + ": Address already in use");
            }
        }
    }

    private static RawClient connected(int port) {
        RawClient[] client = new RawClient[1];
        Deadline.await("port " + port + " to be listened on", () -> {
            try {
                client[0] = RawClient.connect(port);
                return true;
            } catch (IOException refused) {
                return false;
            }
        });
        return client[0];
    }
}
