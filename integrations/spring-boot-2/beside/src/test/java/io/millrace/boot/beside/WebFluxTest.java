package io.millrace.boot.beside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;

/** WebFlux on the Servlet API, in an application of Spring Boot, … */
@Tag("wars")
@Timeout(120)
final class WebFluxTest {

    /** Answers with streams. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        ServletRegistrationBean<ServletHttpHandlerAdapter> reactive() {
            RouterFunction<ServerResponse> routes = RouterFunctions.route()
                    .GET(
                            "/numbers",
                            request -> ServerResponse.ok()
                                    .contentType(MediaType.TEXT_EVENT_STREAM)
                                    .body(Flux.range(1, 1000).delayElements(Duration.ofNanos(1)), Integer.class))
                    .POST(
                            "/echo",
                            request -> ServerResponse.ok().body(request.bodyToFlux(DataBuffer.class), DataBuffer.class))
                    .GET(
                            "/failure",
                            request -> ServerResponse.ok()
                                    .body(Flux.error(new IllegalStateException("planted")), String.class))
                    .build();
            ServletRegistrationBean<ServletHttpHandlerAdapter> servlet = new ServletRegistrationBean<>(
                    new ServletHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes)), "/reactive/*");
            servlet.setAsyncSupported(true);
            return servlet;
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }

    @Test
    void streamsBothWaysAndReportsFailures() throws Exception {
        try (ServletWebServerApplicationContext context =
                (ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                        .properties(
                                "server.port=0",
                                "spring.main.banner-mode=off",
                                "spring.main.web-application-type=servlet",
                                "spring.session.store-type=none")
                        .run()) {
            String base = "http://localhost:" + context.getWebServer().getPort() + "/reactive";
            List<String> events = send(HttpRequest.newBuilder(URI.create(base + "/numbers"))
                            .header("Accept", "text/event-stream"))
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("data:"))
                    .toList();
            assertEquals(1000, events.size());
            assertEquals("data:1000", events.get(999));
            String large = "a line that is echoed\n".repeat(100_000);
            assertEquals(
                    large,
                    send(HttpRequest.newBuilder(URI.create(base + "/echo")).POST(BodyPublishers.ofString(large)))
                            .body());
            int failed =
                    send(HttpRequest.newBuilder(URI.create(base + "/failure"))).statusCode();
            assertTrue(failed == 500, () -> "status " + failed);
        }
    }
}
