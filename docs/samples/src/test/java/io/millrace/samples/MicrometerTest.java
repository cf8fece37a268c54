package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.micrometer.MillraceMetrics;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sample for Micrometer … */
final class MicrometerTest {

    @Test
    void showsAServerUntilItStops() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Server server = Server.builder()
                .port(0)
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();
        try (MillraceMetrics binder = Micrometer.bind(server, registry)) {
            assertEquals(1, registry.get("millrace.build.info").gauge().value());
            assertTrue(registry.get("millrace.connections.limit").gauge().value() > 0);
            server.stop(Duration.ofSeconds(5));
            assertEquals(List.of(), registry.getMeters(), binder::toString);
        }
    }
}
