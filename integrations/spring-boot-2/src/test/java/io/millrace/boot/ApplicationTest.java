package io.millrace.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** An application of Spring Boot … */
@Timeout(120)
final class ApplicationTest {

    /** What is tested of Spring. */
    @SpringBootApplication
    @RestController
    @EnableWebSocket
    static class Application implements WebSocketConfigurer {

        @GetMapping("/hello")
        Map<String, String> hello(@RequestParam String name) {
            return Map.of("hello", name);
        }

        @GetMapping("/stream")
        StreamingResponseBody stream() {
            return out -> {
                for (int i = 0; i < 1000; i++) {
                    out.write("a line of the stream\n".getBytes(StandardCharsets.UTF_8));
                }
            };
        }

        @GetMapping("/events")
        SseEmitter events() {
            SseEmitter emitter = new SseEmitter();
            new Thread(() -> {
                        try {
                            emitter.send("one");
                            emitter.send("two");
                            emitter.complete();
                        } catch (IOException e) {
                            emitter.completeWithError(e);
                        }
                    })
                    .start();
            return emitter;
        }

        @Override
        public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
            registry.addHandler(
                    new TextWebSocketHandler() {
                        @Override
                        protected void handleTextMessage(WebSocketSession session, TextMessage message)
                                throws IOException {
                            session.sendMessage(new TextMessage("echo " + message.getPayload()));
                        }
                    },
                    "/socket");
        }
    }

    private static @Nullable ServletWebServerApplicationContext context;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        SpringApplication application = new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "server.servlet.context-path=/app",
                        "server.tomcat.max-connections=500",
                        "server.millrace.accept-count=50",
                        "management.server.port=0",
                        "management.endpoints.web.exposure.include=*",
                        "spring.main.banner-mode=off")
                .build();
        context = (ServletWebServerApplicationContext) application.run();
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
    }

    private static ServletWebServerApplicationContext context() {
        if (context == null) {
            throw new IllegalStateException("the application has not started");
        }
        return context;
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .header("Accept", "application/json, text/event-stream, */*")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(context().getWebServer().getPort(), "/app" + path);
    }

    @Test
    void runsOnMillraceWithoutAnyConfiguration() throws Exception {
        assertInstanceOf(MillraceWebServer.class, context().getWebServer());
        assertEquals("{\"hello\":\"you\"}", get("/hello?name=you").body());
        assertEquals(
                String.valueOf(context().getWebServer().getPort()),
                context().getEnvironment().getProperty("local.server.port"));
    }

    @Test
    void answersErrorsAsSpringDoes() throws Exception {
        HttpResponse<String> missing = get("/missing");
        assertEquals(404, missing.statusCode());
        assertTrue(missing.body().contains("\"path\":\"/app/missing\""), missing.body());
        HttpResponse<String> bad = get("/hello");
        assertEquals(400, bad.statusCode());
        assertTrue(bad.body().contains("\"error\":\"Bad Request\""), bad.body());
    }

    @Test
    void streams() throws Exception {
        assertEquals(21_000, get("/stream").body().length());
        assertEquals("data:one\n\ndata:two\n\n", get("/events").body());
    }

    @Test
    void hasItsActuatorOnAPortOfItsOwn() throws Exception {
        int management =
                Integer.parseInt(String.valueOf(context().getEnvironment().getProperty("local.management.port")));
        assertNotEquals(context().getWebServer().getPort(), management);
        HttpResponse<String> health = get(management, "/actuator/health");
        assertEquals("200 {\"status\":\"UP\"}", health.statusCode() + " " + health.body());
        assertEquals(404, get("/actuator/health").statusCode());
    }

    @Test
    void showsTheServersMetricsInTheActuator() throws Exception {
        get("/hello?name=you");
        int management =
                Integer.parseInt(String.valueOf(context().getEnvironment().getProperty("local.management.port")));
        String names = get(management, "/actuator/metrics").body();
        assertTrue(names.contains("\"millrace.workers.limit\""), names);
        String requests = get(management, "/actuator/metrics/millrace.application.requests?tag=code:2xx")
                .body();
        assertTrue(requests.contains("\"statistic\":\"COUNT\",\"value\":"), requests);
        assertFalse(requests.contains("\"value\":0.0}"), requests);
        String connectors =
                get(management, "/actuator/metrics/millrace.connections.limit").body();
        assertTrue(connectors.contains("\"value\":500.0}"), "that of the application only: " + connectors);
        String time =
                get(management, "/actuator/metrics/millrace.request.duration").body();
        assertTrue(time.contains("\"TOTAL_TIME\""), time);
    }

    @Test
    void showsTheServersMetricsToPrometheus() throws Exception {
        get("/hello?name=you");
        int management =
                Integer.parseInt(String.valueOf(context().getEnvironment().getProperty("local.management.port")));
        HttpResponse<String> scraped = get(management, "/actuator/prometheus");
        assertEquals(200, scraped.statusCode());
        Map<String, Double> samples = scraped.body()
                .lines()
                .filter(line -> line.startsWith("millrace_"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
        String port = String.valueOf(context().getWebServer().getPort());
        assertEquals(
                Set.of(port),
                samples.keySet().stream()
                        .filter(name -> name.startsWith("millrace_connections_limit{"))
                        .map(name -> name.replaceAll(".*-(\\d+)\".*", "$1"))
                        .collect(Collectors.toSet()),
                () -> "that of the application only: " + samples);
        for (String name : List.of(
                "millrace_requests_total",
                "millrace_request_duration_seconds_count",
                "millrace_request_duration_seconds_sum",
                "millrace_network_bytes_total",
                "millrace_application_requests_total",
                "millrace_application_up",
                "millrace_workers_limit")) {
            assertTrue(
                    samples.entrySet().stream()
                            .anyMatch(each -> each.getKey().startsWith(name + "{") && each.getValue() > 0),
                    () -> name + " in " + samples);
        }
    }

    @Test
    void hasWebSockets() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocket socket = CLIENT.newWebSocketBuilder()
                .buildAsync(
                        URI.create("ws://localhost:" + context().getWebServer().getPort() + "/app/socket"),
                        new WebSocket.Listener() {
                            @Override
                            public @Nullable CompletionStage<?> onText(
                                    WebSocket webSocket, CharSequence data, boolean last) {
                                answer.complete(data.toString());
                                return null;
                            }
                        })
                .get(20, TimeUnit.SECONDS);
        socket.sendText("hi", true).get(20, TimeUnit.SECONDS);
        assertEquals("echo hi", answer.get(20, TimeUnit.SECONDS));
        socket.abort();
    }
}
