package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM … */
final class GracefulStopIT {

    private static final String SERVLET = "SlowServlet.doGet";

    @TempDir
    private Path base = Path.of("");

    @Test
    void letsARequestOnEveryPortFinishAndClosesItsConnection() throws Exception {
        try (AllTransports ports = AllTransports.start(base)) {
            Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
            Stream<String> plain =
                    AllTransports.TRANSPORTS.stream().map(name -> ports.url(name, "http", "/slow?ms=4000"));
            Stream<String> secured = AllTransports.TLS.stream().map(name -> ports.url(name, "https", "/slow?ms=4000"));
            for (String url : Stream.concat(plain, secured).toList()) {
                answers.put(url, Command.outputOf(Curl.start(ports.trusting("-i", url))));
            }
            ThreadDump.awaitFrames(ports.product().pid(), SERVLET, answers.size());
            ports.product().terminate().awaitLine("MILLRACE0003");
            for (Map.Entry<String, CompletableFuture<String>> each : answers.entrySet()) {
                String answer = Deadline.await(each.getValue());
                assertTrue(answer.contains("slept 4000 ms"), each.getKey() + ": " + answer);
                assertTrue(answer.contains("Connection: close"), each.getKey() + ": " + answer);
            }
            assertEquals(0, ports.product().exitStatus(), ports.product().output());
        }
    }
}
