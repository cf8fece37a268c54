package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.files.CacheLimits;
import io.millrace.files.FileHandler;
import io.millrace.handler.Responses;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While a file system stalls, a server with one I/O thread … */
final class StallingFilesTest {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    Path root = Path.of("");

    private final StallingFileSystem files = new StallingFileSystem();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final byte[] content = new byte[6 << 20];
    private @Nullable Server server;

    @BeforeEach
    void write() throws IOException {
        new Random(1).nextBytes(content);
        Files.write(root.resolve("large"), content);
    }

    @AfterEach
    void stop() {
        files.goOn();
        if (server != null) {
            server.stop(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void goesOnAnsweringOthersAndCompletesResponsesAfterwards(String transport) throws Exception {
        FileHandler handler = FileHandler.builder(files.path(root))
                .cache(CacheLimits.DEFAULTS.withAdmission(1).withFreshness(Duration.ofHours(1)))
                .build();
        NonBlockingHandler either = exchange -> {
            if (exchange.request().path().decoded().equals("/ping")) {
                Responses.text(exchange, 200, "pong");
            } else {
                handler.handle(exchange);
            }
        };
        server = Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .port(0)
                        .with(TransportOptions.IO_THREADS, 1)
                        .build())
                .handler(either)
                .start();
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(content, get("/large").join().body().readAllBytes());
        }

        InputStream begun = get("/large").get(30, TimeUnit.SECONDS).body();
        assertEquals(content[0], (byte) begun.read());
        files.stall();
        CompletableFuture<HttpResponse<InputStream>> waiting = get("/large");
        for (int i = 0; i < 10; i++) {
            assertEquals("pong", new String(get("/ping").join().body().readAllBytes(), StandardCharsets.UTF_8));
        }
        CompletableFuture<byte[]> rest = CompletableFuture.supplyAsync(() -> all(begun));
        for (int i = 0; i < 10; i++) {
            assertEquals("pong", new String(get("/ping").join().body().readAllBytes(), StandardCharsets.UTF_8));
        }
        files.goOn();
        assertEquals(content.length - 1, rest.get(30, TimeUnit.SECONDS).length);
        assertArrayEquals(content, waiting.get(30, TimeUnit.SECONDS).body().readAllBytes());
    }

    private static byte[] all(InputStream in) {
        try (in) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private CompletableFuture<HttpResponse<InputStream>> get(String path) {
        int port = Objects.requireNonNull(server).ports().get(0);
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .timeout(DEADLINE)
                        .build(),
                BodyHandlers.ofInputStream());
    }
}
