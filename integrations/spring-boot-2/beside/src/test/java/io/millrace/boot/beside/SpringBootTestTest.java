package io.millrace.boot.beside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.binder.tomcat.TomcatMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.junit.MillraceTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.client.TestRestTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A test with {@code @SpringBootTest} and {@code @MillraceTest} … */
@Tag("wars")
@Timeout(120)
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.main.web-application-type=servlet",
            "spring.session.store-type=none",
            "server.millrace.mbeanregistry.enabled=true"
        })
@MillraceTest(handler = SpringBootTestTest.Partner.class)
final class SpringBootTestTest {

    /** The application under test. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    @RestController
    static class Application {

        @GetMapping("/hello")
        String hello() {
            return "from the application";
        }
    }

    /** A server that the application would ask. */
    static final class Partner implements HttpHandler {

        @Override
        public void handle(HttpExchange exchange) {
            Responses.text(exchange, 200, "from its partner");
        }
    }

    private final TestRestTemplate application;

    SpringBootTestTest(@org.springframework.beans.factory.annotation.Autowired TestRestTemplate application) {
        this.application = application;
    }

    @Test
    void hasAServerOfEach(URI partner, HttpClient client) throws Exception {
        assertEquals("from the application", application.getForObject("/hello", String.class));
        assertEquals(
                "from its partner",
                client.send(HttpRequest.newBuilder(partner).build(), BodyHandlers.ofString())
                        .body());
    }

    @Test
    void hasMBeansThatMicrometersTomcatMetricsReads() {
        application.getForObject("/hello", String.class);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (TomcatMetrics metrics = new TomcatMetrics(null, List.of())) {
            metrics.bindTo(registry);
            assertEquals(200, registry.get("tomcat.threads.config.max").gauge().value());
            assertTrue(registry.get("tomcat.global.request").functionTimer().count() > 0);
        }
    }
}
