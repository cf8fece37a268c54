package io.millrace.servlet;

import static io.millrace.http1.Http1Options.UPLOAD_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A server whose timeouts are the longest there are … */
@ParameterizedClass
@MethodSource("timeouts")
class LongestTimeoutsTest {

    record Timeouts(Carrier carrier, Duration each) {}

    private final Timeouts timeouts;

    LongestTimeoutsTest(Timeouts timeouts) {
        this.timeouts = timeouts;
    }

    static Stream<Timeouts> timeouts() {
        return Carrier.whole().stream()
                .flatMap(carrier -> Stream.of(
                                Duration.ofSeconds(Long.MAX_VALUE),
                                Duration.ofMillis(Long.MAX_VALUE),
                                Duration.ofNanos(Long.MAX_VALUE))
                        .map(each -> new Timeouts(carrier, each)));
    }

    @Test
    void servesAndWaitsForRequestsAndStopsAtOnce() throws Exception {
        Duration each = timeouts.each();
        Settings options = Settings.DEFAULTS
                .with(CONNECTION_TIMEOUT, each)
                .with(KEEP_ALIVE_TIMEOUT, each)
                .with(UPLOAD_TIMEOUT, each);
        Server server = Carrier.server(timeouts.carrier().connector().settings(options))
                .failFast(true)
                .application(WebApplication.builder("")
                        .servlet(
                                "length",
                                Serving.with((request, response) -> response.getWriter()
                                        .print("got " + request.getInputStream().readAllBytes().length)),
                                "/")
                        .build())
                .start();
        try (RawClient client = RawClient.connect(server.port())) {
            for (int i = 0; i < 3; i++) {
                client.send("POST / HTTP/1.1\r\nHost: x\r\n");
                client.send("Content-Length: 3\r\n\r\n");
                client.send("ab");
                client.send("c");
                assertTrue(client.readUntil("got 3").endsWith("got 3"));
            }
        }
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> server.stop(each));
        Deadline.await(stopped);
    }
}
