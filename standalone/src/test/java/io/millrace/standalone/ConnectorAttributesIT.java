package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectorAttributesIT {

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps"));
        Files.copy(Product.EXAMPLES, base.resolve("webapps/ROOT.war"));
    }

    @Test
    void doesWhatEachConnectorSaysAndListensOnASocketFile() throws Exception {
        configure("""
                <Executor name="shared" namePrefix="shared-" maxThreads="5"/>
                <Connector port="0" address="127.0.0.1" executor="shared"/>
                <Connector port="0" address="127.0.0.1" xpoweredBy="true" allowTrace="true"/>
                <Connector unixDomainSocketPath="socket" executor="shared"/>
                """);
        try (Product product = start()) {
            String first = "http://localhost:" + product.ports().get(0) + "/hello";
            String second = "http://localhost:" + product.ports().get(1) + "/hello";
            assertTrue(!Curl.run("-i", first).contains("X-Powered-By"), "not here");
            assertTrue(Curl.run("-i", second).contains("X-Powered-By: Servlet/4.0"), "here");
            assertTrue(Curl.run("-i", "-X", "TRACE", first).startsWith("HTTP/1.1 405"), "refused");
            assertTrue(
                    Curl.run("--unix-socket", base.resolve("socket").toString(), "http://localhost/hello")
                            .contains("Hello"),
                    product.output());
            assertTrue(
                    product.has("HTTP/1.1 over nio, no TLS; 8192 connections, 5 threads of shared"), product.output());
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void letsTheSystemProbeConnectionsIfToldTo(String transport) throws Exception {
        String common = "<Connector port=\"0\" address=\"127.0.0.1\" protocol=\"" + transport + "\"";
        configure(common + "/>" + common + " socket.soKeepAlive=\"true\"/>");
        try (Product product = start();
                RawClient plain = RawClient.connect(product.ports().get(0));
                RawClient probed = RawClient.connect(product.ports().get(1))) {
            for (RawClient each : List.of(plain, probed)) {
                each.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n").readUntil("\r\n\r\n");
            }
            Deadline.await("the system's timer", () -> isProbed(probed)); // once the client has said that it has all
            assertFalse(isProbed(plain));
        }
    }

    /** Linux counts twice what it is asked to hold. */
    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void tellsTheSystemHowMuchMayWait(String transport) throws Exception {
        configure("<Connector port=\"0\" address=\"127.0.0.1\" protocol=\"" + transport
                + "\" acceptCount=\"17\" socket.rxBufSize=\"30000\" socket.txBufSize=\"40000\"/>");
        try (Product product = start();
                RawClient client = RawClient.connect(product.ports().get(0))) {
            client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n").readUntil("\r\n\r\n");
            String filter = "sport = :" + product.ports().get(0);
            String[] listening = Command.succeed("ss", "-Hltn", filter).strip().split("\\s+");
            assertEquals("17", listening[2], String.join(" ", listening));
            String connected = Command.succeed("ss", "-Htnm", filter);
            assertTrue(connected.contains(",rb60000,") && connected.contains(",tb80000,"), connected);
        }
    }

    /** As Linux shows it: of the server's end of the connection, whose timer it is that runs. */
    private static boolean isProbed(RawClient client) {
        Pattern line = Pattern.compile(String.format(
                ".*:%04X [0-9A-F]+:%04X 01 00000000:00000000 02:.*",
                client.socket().getPort(), client.socket().getLocalPort()));
        return Stream.of("tcp", "tcp6")
                .flatMap(ConnectorAttributesIT::connections)
                .anyMatch(line.asMatchPredicate());
    }

    private static Stream<String> connections(String family) {
        try {
            return Files.readAllLines(Path.of("/proc/net", family)).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void tellsItIsDownAndServesOnUntilTheDelayIsOver() throws Exception {
        configure("<Connector port=\"0\" address=\"127.0.0.1\"/>");
        try (Product product = start()) {
            int port = product.ports().get(0);
            String health = "http://localhost:" + port + "/health";
            assertEquals(200, Curl.status(health));
            Process slow = Curl.start("http://localhost:" + port + "/slow?ms=2500");
            ThreadDump.awaitFrame(product.pid(), "SlowServlet");
            product.terminate();
            product.awaitLine("MILLRACE0003");
            assertEquals(503, Curl.status(health));
            assertEquals(
                    "slept 2500 ms", new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            assertEquals(0, product.exitStatus(), product.output());
        }
    }

    private void configure(String connectors) throws IOException {
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server>
                  <Service name="s" gracefulStopDelayMillis="1500">
                    %s
                    <Engine defaultHost="localhost">
                      <Valve className="org.apache.catalina.valves.HealthCheckValve"/>
                      <Host name="localhost"/>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(connectors));
    }

    private Product start() throws Exception {
        Product product = Product.launch("start", "--base=" + base);
        product.awaitLine("is ready after");
        return product;
    }
}
