package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.BasicAuthentication;
import io.millrace.handler.Cors;
import io.millrace.handler.PathRouter;
import io.millrace.handler.RequestTimeout;
import io.millrace.handler.Responses;
import io.millrace.testkit.Deadline;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The handlers that are put before others, all of them on one server … */
@Timeout(60)
class HandlerLibraryTest {

    @TempDir
    private static Path directory = Path.of("");

    private static final HandlerLibrary.News NEWS = new HandlerLibrary.News();
    private static final CountDownLatch BUSY = new CountDownLatch(4);
    private static final CountDownLatch GO_ON = new CountDownLatch(1);
    private static Server server;
    private static Client client;

    private static HttpHandler says(String text) {
        return exchange -> Responses.text(exchange, 200, text);
    }

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(directory.resolve("index.html"), "<p>the page");
        Files.writeString(directory.resolve("app.js"), "script");
        PathRouter router = PathRouter.builder()
                .prefix("/cors", HandlerLibrary.cors(says("api")))
                .prefix("/rate", HandlerLibrary.rateLimit(says("api")))
                .prefix("/queue", HandlerLibrary.queue(exchange -> {
                    BUSY.countDown();
                    GO_ON.await();
                    Responses.text(exchange, 200, "report");
                }))
                .prefix("/security", HandlerLibrary.security(says("site")))
                .prefix("/methods", HandlerLibrary.methods(says("site")))
                .prefix("/timeout", HandlerLibrary.timeout(says("in time")))
                .prefix("/login", HandlerLibrary.login(HandlerLibraryTest::verify))
                .prefix("/form", HandlerLibrary.form())
                .prefix("/json", HandlerLibrary.json())
                .prefix("/body", HandlerLibrary.body())
                .exact("/events", NEWS.events())
                .prefix("/page", HandlerLibrary.singlePage(directory))
                .otherwise(HandlerLibrary.parameters())
                .build();
        server = Server.builder().port(0).handler(router).start();
        client = new Client(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static BasicAuthentication.@Nullable User verify(String name, String password) {
        if (name.equals("down")) {
            throw new BasicAuthentication.UnavailableException("no database", new IOException("refused"));
        }
        return password.equals("pässword") ? new BasicAuthentication.User(name, Set.of(name)) : null;
    }

    private static HttpResponse<String> with(String path, String... fields) throws Exception {
        return client.send(client.to(path).headers(fields).build());
    }

    @Test
    void letPagesOfSomeOriginsIn() throws Exception {
        HttpResponse<String> allowed = with("/cors", "Origin", "https://www.example.com");
        assertEquals("api", allowed.body());
        assertEquals("https://www.example.com", field(allowed, "Access-Control-Allow-Origin"));
        assertEquals("true", field(allowed, "Access-Control-Allow-Credentials"));
        assertEquals("Origin", field(allowed, "Vary"));
        assertEquals(403, with("/cors", "Origin", "https://evil.example").statusCode());
        assertEquals("api", client.get("/cors").body());
        HttpRequest preflight = client.to("/cors")
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "https://www.example.com")
                .header("Access-Control-Request-Method", "PUT")
                .header("Access-Control-Request-Headers", "authorization")
                .build();
        HttpResponse<String> answer = client.send(preflight);
        assertEquals(204, answer.statusCode());
        assertEquals("3600", field(answer, "Access-Control-Max-Age"));
        Cors.Builder open = Cors.builder().origins("*").credentials(true);
        assertThrows(IllegalArgumentException.class, open::build);
        Cors.Builder closed = Cors.builder();
        assertThrows(IllegalArgumentException.class, closed::build);
        assertThrows(IllegalArgumentException.class, () -> open.origins("https://a.example/"));
    }

    private static String field(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void limitTheRateOfAClient() throws Exception {
        int refused = 0;
        String retry = "";
        for (int i = 0; i < 60 && refused == 0; i++) {
            HttpResponse<String> answer = client.get("/rate");
            refused += answer.statusCode() == 429 ? 1 : 0;
            retry = field(answer, "Retry-After");
        }
        assertTrue(refused == 0 || retry.equals("1"), retry);
    }

    @Test
    void letFurtherRequestsWaitForATime() throws Exception {
        CompletableFuture<?>[] running = new CompletableFuture<?>[4];
        for (int i = 0; i < running.length; i++) {
            running[i] = CompletableFuture.runAsync(() -> assertEquals(200, status("/queue")));
        }
        assertTrue(BUSY.await(20, TimeUnit.SECONDS));
        HttpResponse<String> late = client.get("/queue");
        assertEquals(503, late.statusCode());
        assertEquals("1", field(late, "Retry-After"));
        GO_ON.countDown();
        CompletableFuture.allOf(running).get(20, TimeUnit.SECONDS);
        assertEquals("report", client.get("/queue").body());
    }

    private static int status(String path) {
        try {
            return client.get(path).statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sendFieldsThatProtectUsers() throws Exception {
        HttpResponse<String> answer = client.get("/security");
        assertEquals("default-src 'self'", field(answer, "Content-Security-Policy"));
        assertEquals("nosniff", field(answer, "X-Content-Type-Options"));
        assertEquals("", field(answer, "X-Frame-Options"));
        assertEquals("", field(answer, "Strict-Transport-Security")); // not over https
    }

    @Test
    void allowSomeMethods() throws Exception {
        assertEquals("site", client.get("/methods").body());
        HttpResponse<String> refused = client.post("/methods", "x");
        assertEquals(405, refused.statusCode());
        assertEquals("GET, HEAD, OPTIONS", field(refused, "Allow"));
    }

    @Test
    void boundTheTimeOfRequests() throws Exception {
        assertEquals("in time", client.get("/timeout").body());
        HttpHandler never =
                RequestTimeout.of(Duration.ofMillis(50)).wrap(exchange -> exchange.suspend(Duration.ZERO, late -> {}));
        try (Server own = Server.builder().port(0).handler(never).start()) {
            assertThrows(IOException.class, () -> new Client(own).get("/"));
        }
    }

    @Test
    void askForAPassword() throws Exception {
        HttpResponse<String> asked = client.get("/login");
        assertEquals(401, asked.statusCode());
        assertEquals("Basic realm=\"Shop\", charset=\"UTF-8\"", field(asked, "WWW-Authenticate"));
        assertEquals(401, login("admin:wrong"));
        assertEquals(401, login("no colon"));
        assertEquals(403, login("guest:pässword"));
        assertEquals(503, login("down:pässword"));
        assertEquals(200, login("admin:pässword"));
        assertEquals(401, with("/login", "Authorization", "Basic ???").statusCode());
        assertEquals(401, with("/login", "Authorization", "Bearer x").statusCode());
    }

    private static int login(String credentials) throws Exception {
        String encoded = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        return with("/login", "Authorization", "Basic " + encoded).statusCode();
    }

    @Test
    void takeParametersOutOfPaths() throws Exception {
        assertEquals("Order 7\n", client.get("/orders/7/items/8").body());
        assertEquals("/files/a/b", client.get("/files/a/b").body());
        assertEquals(404, client.get("/orders/7").statusCode());
    }

    @Test
    void readForms() throws Exception {
        assertEquals(
                "Ann likes [red, light blue]\n",
                posted("/form?name=Ann", "application/x-www-form-urlencoded", "colour=red&colour=light+blue")
                        .body());
        assertEquals(
                "Ann likes []\n",
                posted("/form?name=Eve", "application/x-www-form-urlencoded", "name=Ann")
                        .body());
        assertEquals(415, posted("/form", "text/plain", "a=b").statusCode());
        assertEquals("null likes []\n", client.get("/form").body());
    }

    private static HttpResponse<String> posted(String path, String type, String body) throws Exception {
        return client.send(client.to(path)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    @Test
    void readJson() throws Exception {
        assertEquals(
                "{\"a\": [1]}",
                posted("/json", "application/json", "{\"a\": [1]}").body());
        HttpResponse<String> malformed = posted("/json", "application/json", "{\"a\": [1}");
        assertEquals(400, malformed.statusCode());
        assertTrue(malformed.body().contains("line 1, column 9: expected a comma or ], found }"), malformed.body());
        assertEquals(
                413,
                posted("/json", "application/json", "[" + " ".repeat(70_000) + "]")
                        .statusCode());
        HttpRequest unannounced = client.to("/json")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[70_000])))
                .build();
        assertEquals(413, client.send(unannounced).statusCode());
        assertEquals("5 bytes\n", client.post("/body", "hello").body());
    }

    @Test
    void tellBrowsersWhatHappens() throws Exception {
        HttpResponse<InputStream> events = HttpClient.newHttpClient()
                .send(client.to("/events").build(), HttpResponse.BodyHandlers.ofInputStream());
        assertEquals(
                "text/event-stream", events.headers().firstValue("Content-Type").orElse(""));
        Deadline.await("the listener", () -> NEWS.listeners() == 1);
        NEWS.publish("two\nlines", 7);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            for (String line : new String[] {":", "", "event: news", "id: 7", "data: two", "data: lines", ""}) {
                assertEquals(line, lines.readLine());
            }
        }
        Deadline.await("the listener to have left", () -> {
            NEWS.publish("more", 8);
            return NEWS.listeners() == 0;
        });
    }

    @Test
    void disconnectAListenerThatStopsReading() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /events HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Deadline.await("the listener", () -> NEWS.listeners() > 0);
            String text = "x".repeat(100_000);
            Deadline.await("the listener to be closed", () -> {
                NEWS.publish(text, 1);
                return NEWS.isAnyClosed();
            });
        }
        Deadline.await("the listener to have left", () -> NEWS.listeners() == 0);
    }

    @Test
    void applyRules() throws Exception {
        try (Server own = Server.builder()
                .port(0)
                .virtualHost(HandlerLibrary.rules(says("site")))
                .defaultHost("localhost")
                .start()) {
            assertEquals("nosniff", field(new Client(own).get("/"), "X-Content-Type-Options"));
        }
    }

    @Test
    void serveOnePageForAllPathsOfItsScript() throws Exception {
        HttpResponse<String> page = with("/page/orders/7", "Accept", "text/html,*/*;q=0.8");
        assertEquals("<p>the page", page.body());
        assertEquals("no-cache", field(page, "Cache-Control"));
        assertEquals("script", with("/page/app.js", "Accept", "*/*").body());
        assertEquals(404, with("/page/missing.js", "Accept", "text/html").statusCode());
        assertEquals(404, with("/page/api/orders", "Accept", "application/json").statusCode());
    }
}
