package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.compression.RequestDecompression;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.handler.PathRouter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies compressed both ways, over every transport … */
final class CompressionOnTransportsTest {

    private static final byte[] LINE = "a line of text that is like others\n".getBytes(StandardCharsets.US_ASCII);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountDownLatch readByClient = new CountDownLatch(1);
    private @Nullable Server server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(Duration.ZERO);
        }
    }

    private void start(String transport) throws IOException {
        HttpHandler echo = exchange -> {
            exchange.response().headers().set("Content-Type", "text/plain");
            byte[] all = ExchangeInputStream.of(exchange).readAllBytes(); // before the response is committed
            ExchangeOutputStream.of(exchange).write(all);
        };
        HttpHandler flushing = exchange -> {
            exchange.response().headers().set("Content-Type", "text/plain");
            ExchangeOutputStream.of(exchange).write(LINE);
            ExchangeOutputStream.of(exchange).flush();
            assertTrue(readByClient.await(20, TimeUnit.SECONDS), "the client did not see what was flushed");
            for (int i = 0; i < 100_000; i++) {
                ExchangeOutputStream.of(exchange).write(LINE);
            }
        };
        server = Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .port(0)
                        .with(Compression.MODE, CompressionMode.ON)
                        .build())
                .handler(PathRouter.builder()
                        .exact("/echo", RequestDecompression.upTo(4 << 20).wrap(echo))
                        .exact("/flush", flushing)
                        .build())
                .start();
    }

    private int port() {
        return Objects.requireNonNull(server).port();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30))
                .header("Accept-Encoding", "gzip");
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void canBeReadAsTheyAreFlushed(String transport) throws Exception {
        start(transport);
        HttpResponse<InputStream> answer = client.send(request("/flush").build(), BodyHandlers.ofInputStream());
        assertEquals("gzip", answer.headers().firstValue("Content-Encoding").orElse(""));
        try (InputStream in = new GZIPInputStream(answer.body())) {
            assertEquals(LINE.length, in.readNBytes(LINE.length).length);
            readByClient.countDown();
            assertEquals(100_000L * LINE.length, in.transferTo(OutputStream.nullOutputStream()));
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void areDecompressedAndCompressedAgain(String transport) throws Exception {
        start(transport);
        byte[] text = new String(LINE, StandardCharsets.US_ASCII).repeat(50_000).getBytes(StandardCharsets.US_ASCII);
        HttpResponse<byte[]> answer = post(text);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            assertEquals(
                    new String(text, StandardCharsets.US_ASCII),
                    new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
        assertEquals(413, post(new byte[5 << 20]).statusCode());
        HttpRequest odd = request("/echo")
                .header("Content-Encoding", "br")
                .POST(BodyPublishers.ofString("x"))
                .build();
        assertEquals(415, client.send(odd, BodyHandlers.discarding()).statusCode());
    }

    private HttpResponse<byte[]> post(byte[] text) throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(text);
        }
        HttpRequest request = request("/echo")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(compressed.toByteArray()))
                .build();
        return client.send(request, BodyHandlers.ofByteArray());
    }
}
