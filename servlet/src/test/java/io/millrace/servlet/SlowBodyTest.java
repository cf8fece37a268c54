package io.millrace.servlet;

import static io.millrace.http1.Http1Options.UPLOAD_TIMEOUT;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE;
import static io.millrace.protocol.HttpOptions.MIN_UPLOAD_RATE_GRACE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.TransportOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A body that comes slowly … */
@OnEachCarrier
class SlowBodyTest {

    private static final String POST = "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";

    private final Carrier carrier;
    private final Semaphore reading = new Semaphore(0);

    SlowBodyTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Server server(Settings options) throws IOException {
        return Carrier.server(carrier.connector().settings(options).with(TransportOptions.MAX_THREADS, 2))
                .application(WebApplication.builder("")
                        .servlet(
                                "read",
                                Serving.with((request, response) -> {
                                    reading.release();
                                    request.getInputStream().readAllBytes();
                                }),
                                "/read")
                        .servlet(
                                "hello",
                                Serving.with((request, response) ->
                                        response.getWriter().print("hello")),
                                "/hello")
                        .build())
                .start();
    }

    @Test
    void doesNotDelayOtherRequests() throws Exception {
        List<RawClient> slow = new ArrayList<>();
        try (Server server = server(Settings.DEFAULTS)) {
            for (int i = 0; i < 6; i++) {
                slow.add(RawClient.connect(server.port()).send(POST + "{"));
                assertTrue(reading.tryAcquire(30, TimeUnit.SECONDS), "number " + i + " waits for a thread");
            }
            try (RawClient other = RawClient.connect(server.port())) {
                other.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                assertTrue(other.readTextToEnd().endsWith("hello"));
            }
            for (RawClient client : slow) {
                client.reset();
            }
        }
    }

    @Test
    void isAbortedIfItArrivesByteByByte() throws Exception {
        Settings options = Settings.DEFAULTS
                .with(UPLOAD_TIMEOUT, Duration.ofMillis(300))
                .with(MIN_UPLOAD_RATE_GRACE, Duration.ofMillis(300))
                .with(MIN_UPLOAD_RATE, 100_000);
        try (Server server = server(options);
                RawClient client = RawClient.connect(server.port())) {
            client.send(POST);
            int sent = 0;
            while (sent < 99 && client.isSilentFor(Duration.ofMillis(50))) {
                client.send("x");
                sent++;
            }
            assertEquals("TTP/1.1 408 ", client.readText(12)); // the first octet ended the silence
        }
    }
}
