package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM … */
final class GracefulStopIT {

    @TempDir
    private Path base = Path.of("");

    @Test
    void letsARequestOnEveryPortFinishAndClosesItsConnection() throws Exception {
        HoldingPage page = HoldingPage.in(base);
        try (AllTransports ports = AllTransports.process(base)) {
            Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
            Stream<String> plain =
                    AllTransports.TRANSPORTS.stream().map(name -> ports.url(name, "http", HoldingPage.PATH));
            Stream<String> secured = AllTransports.TLS.stream().map(name -> ports.url(name, "https", HoldingPage.PATH));
            for (String url : Stream.concat(plain, secured).toList()) {
                answers.put(url, Command.outputOf(Curl.start(ports.trusting("-i", url))));
            }
            ThreadDump.awaitFrames(ports.product().jvm(), HoldingPage.FRAME, answers.size());
            ports.product().terminate().awaitLine("MILLRACE0003");
            for (int port : ports.product().ports()) {
                Deadline.await("port " + port + " to be closed", () -> !LocalPort.isOpen(port));
            }
            page.letGo();
            for (Map.Entry<String, CompletableFuture<String>> each : answers.entrySet()) {
                String answer = Deadline.await(each.getValue());
                assertTrue(answer.contains(HoldingPage.ANSWER), each.getKey() + ": " + answer);
                assertTrue(answer.contains("Connection: close"), each.getKey() + ": " + answer);
            }
            assertEquals(0, ports.product().exitStatus(), ports.product().output());
        }
    }

    @Test
    void tellsWaitsFinishesAndCutsOnEveryTransport() throws Exception {
        configure();
        try (ProbeServer server = new ProbeServer(Product.process().serving("start", "--base=" + base));
                StoppedClients clients = new StoppedClients(server.product().ports(), base)) {
            ThreadDump.awaitFrames(server.product().jvm(), "ProbeServlet.hold", clients.held());
            server.product().terminate().awaitLine("MILLRACE0003");
            clients.areServedAlthoughItIsDown();
            clients.areAloneAndLeaveIfTheyAreIdle();
            clients.getWhatEndsInTime();
            clients.areCut();
            assertEquals(0, server.product().exitStatus(), server.product().output());
        }
    }

    private void configure() throws IOException {
        ProbeServer.prepare(base, "", "", "");
        String connectors = AllTransports.TRANSPORTS.stream()
                .map(each -> "<Connector port='0' address='127.0.0.1' protocol='" + each + "'/>")
                .collect(Collectors.joining());
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server>
                  <Service gracefulStopDelayMillis="5000" gracefulStopAwaitMillis="5000">
                    %s
                    <Engine defaultHost="localhost">
                      <Valve className="org.apache.catalina.valves.HealthCheckValve"/>
                      <Host name="localhost"/>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(connectors));
    }
}
