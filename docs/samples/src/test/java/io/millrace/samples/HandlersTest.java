package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.files.FileHandler;
import io.millrace.handler.AccessLog;
import io.millrace.handler.HealthHandler;
import io.millrace.handler.Responses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the handlers … */
@Timeout(60)
class HandlersTest {

    @TempDir
    Path directory = Path.of("");

    private interface Use {
        void of(Client client) throws Exception;
    }

    private static void serve(HttpHandler handler, Use use) throws Exception {
        try (Server server = server(handler)) {
            use.of(new Client(server));
        }
    }

    private static Server server(HttpHandler handler) throws IOException {
        return Server.builder().port(0).handler(handler).start();
    }

    private static HttpHandler says(String text) {
        return exchange -> Responses.text(exchange, 200, text);
    }

    @Test
    void cacheFiles() throws Exception {
        Files.writeString(directory.resolve("a.txt"), "cached");
        HttpHandler files =
                FileHandler.builder(directory).cache(Handlers.cacheLimits()).build();
        serve(files, client -> {
            for (int i = 0; i < 4; i++) {
                assertEquals("cached", client.get("/a.txt").body());
            }
        });
    }

    @Test
    void compressResponses() throws Exception {
        serve(Handlers.compression(says("to and fro ".repeat(1_000))), client -> {
            HttpRequest request =
                    client.to("/").header("Accept-Encoding", "gzip").build();
            assertEquals(
                    "gzip",
                    client.send(request)
                            .headers()
                            .firstValue("Content-Encoding")
                            .orElse(""));
        });
    }

    @Test
    void decompressRequests() throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(body)) {
            zip.write("to and fro".getBytes(StandardCharsets.UTF_8));
        }
        serve(Handlers.decompression(Handlers.blocking()), client -> {
            HttpRequest request = client.to("/")
                    .header("Content-Encoding", "gzip")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                    .build();
            assertEquals("to and fro", client.send(request).body());
        });
    }

    @Test
    void echoWhatIsSent() throws Exception {
        String text = "0123456789".repeat(100_000);
        serve(
                Handlers.blocking(),
                client -> assertEquals(text, client.post("/", text).body()));
    }

    @Test
    void answerWithoutAWorker() throws Exception {
        serve(
                Handlers.nonBlocking(),
                client -> assertEquals("pong\n", client.get("/").body()));
    }

    @Test
    void passOn() throws Exception {
        serve(Handlers.dispatching(says("report")), client -> {
            assertEquals(401, client.get("/").statusCode());
            HttpRequest authorized =
                    client.to("/").header("Authorization", "Basic x").build();
            assertEquals("report", client.send(authorized).body());
        });
    }

    @Test
    void waitForAnAnswerWithoutAThread() throws Exception {
        Handlers.Weather sunny = answer -> new Thread(() -> answer.accept("sunny", null)).start();
        serve(
                Handlers.suspending(sunny),
                client -> assertEquals("sunny", client.get("/").body()));
        serve(
                Handlers.suspending(answer -> {}),
                client -> assertEquals(504, client.get("/").statusCode()));
        serve(
                Handlers.suspending(answer -> answer.accept(null, null)),
                client -> assertEquals(500, client.get("/").statusCode()));
    }

    @Test
    void runOnAnExecutor() throws Exception {
        ExecutorService own = Executors.newSingleThreadExecutor(task -> new Thread(task, "own"));
        HttpHandler name =
                exchange -> Responses.text(exchange, 200, Thread.currentThread().getName());
        serve(
                Handlers.placed(name, own),
                client -> assertEquals("own", client.get("/").body()));
        own.shutdown();
    }

    @Test
    void informBeforeTheResponse() throws Exception {
        try (Server server = server(Handlers.early(says("page")))) {
            String answer = Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload"), answer);
            assertTrue(answer.contains("\r\n\r\nHTTP/1.1 200 OK\r\n") && answer.endsWith("page"), answer);
        }
    }

    @Test
    void takeTheConnectionOver() throws Exception {
        try (Server server = server(Handlers.upgrading())) {
            String request = "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
            String answer = Raw.exchange(server.port(), request + "over and out");
            assertTrue(answer.startsWith("HTTP/1.1 101 "), answer);
            assertTrue(answer.endsWith("\r\n\r\nover and out"), answer);
        }
    }

    @Test
    void respondInOneCall() throws Exception {
        serve(Handlers.responses(), client -> {
            assertEquals("Grüße\n", client.get("/text").body());
            assertEquals("<p>Hello", client.get("/html").body());
            assertEquals(201, client.get("/json").statusCode());
            assertEquals(43, client.get("/bytes").body().length());
            assertEquals(204, client.get("/empty").statusCode());
            HttpResponse<String> old = client.get("/old");
            assertEquals(301, old.statusCode());
            assertEquals("/text", old.headers().firstValue("Location").orElse(""));
            assertEquals(410, client.get("/gone").statusCode());
        });
    }

    @Test
    void routeByPath() throws Exception {
        HttpHandler paths = Handlers.paths(says("list"), says("create"), Handlers.below(), says("rest"));
        serve(paths, client -> {
            assertEquals("list", client.get("/orders").body());
            assertEquals("create", client.post("/orders", "x").body());
            assertEquals("Order 7\n", client.get("/orders/7").body());
            assertEquals("rest", client.get("/ordersheet").body());
            assertEquals(405, client.post("/orders/7", "x").statusCode());
            HttpResponse<String> head = client.send(client.to("/orders")
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build());
            assertEquals("", head.body());
            assertEquals("4", head.headers().firstValue("Content-Length").orElse(""));
        });
    }

    @Test
    void routeByHost() throws Exception {
        HttpHandler hosts = Handlers.hosts(says("shop"), says("blogs"), says("unknown"));
        try (Server server = Server.builder().port(0).handler(hosts).start()) {
            assertEquals("shop", Raw.get(server.port(), "/", "shop.example.org"));
            assertEquals("blogs", Raw.get(server.port(), "/", "a.blog.example.org:8080"));
            assertEquals("unknown", Raw.get(server.port(), "/", "example.org"));
        }
    }

    @Test
    void serveFiles() throws Exception {
        Files.writeString(directory.resolve("index.html"), "<p>Hi");
        byte[] large = new byte[3_000_000];
        Files.write(directory.resolve("large.proto"), large);
        serve(Handlers.files(directory), client -> {
            HttpResponse<String> page = client.get("/static/");
            assertEquals("<p>Hi", page.body());
            HttpResponse<String> file = client.get("/static/large.proto");
            assertEquals(large.length, file.body().length());
            assertEquals("text/plain", file.headers().firstValue("Content-Type").orElse(""));
            String etag = file.headers().firstValue("ETag").orElse("");
            HttpRequest again = client.to("/static/large.proto")
                    .header("If-None-Match", etag)
                    .build();
            assertEquals(304, client.send(again).statusCode());
            assertEquals(404, client.get("/static/missing").statusCode());
        });
        serve(
                Handlers.plainFiles(directory),
                client -> assertEquals("<p>Hi", client.get("/").body()));
    }

    @Test
    void redirect() throws Exception {
        serve(Handlers.redirects(), client -> {
            HttpResponse<String> moved = client.get("/a/b?c=d");
            assertEquals(308, moved.statusCode());
            assertEquals(
                    "https://www.example.org/a/b?c=d",
                    moved.headers().firstValue("Location").orElse(""));
            assertEquals(302, client.get("/start").statusCode());
        });
    }

    @Test
    void checkHealth() throws Exception {
        serve(
                Handlers.health(() -> false),
                client -> assertEquals(503, client.get("/").statusCode()));
        serve(
                HealthHandler.of(() -> true),
                client -> assertEquals(200, client.get("/").statusCode()));
    }

    @Test
    void logAccess() throws Exception {
        try (AccessLog log = Handlers.accessLog(directory)) {
            serve(Handlers.logged(log, Handlers.user()), client -> client.get("/who?x=1"));
            assertEquals(0, log.dropped());
        }
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            assertEquals(1, all.size());
            String line = Files.readString(all.get(0));
            assertTrue(line.contains(" - alice ["), line);
            assertTrue(line.contains("\"GET /who?x=1 HTTP/1.1\" 200 13 \"-\" \"Java-http-client/"), line);
        }
    }

    @Test
    void tellWhenTheyHaveEnded() throws Exception {
        serve(
                Handlers.timed(),
                client -> assertEquals("Hello!\n", client.get("/").body()));
    }
}
