package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.handler.Responses;
import io.millrace.http.HttpVersion;
import io.millrace.http1.Http1Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.TestTls;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.websocket.WebSocketHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A browser over HTTP/2: its page, what the page fetches, and a WebSocket, all on one connection. */
final class BrowserTest {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

    /** The timeout of a browser on a busy machine. */
    private static final int LONGEST_MINUTES = 2;

    private static final String PAGE = """
            <!DOCTYPE html><title>HTTP/2</title><script>
            const hop = performance.getEntriesByType('navigation')[0].nextHopProtocol;
            const report = text => fetch('/report?' + hop + ',' + text, {method: 'POST', body: 'x'.repeat(100000)});
            const socket = new WebSocket('wss://' + location.host + '/socket');
            socket.onopen = () => socket.send('hello');
            socket.onmessage = message => report(message.data);
            socket.onerror = () => report('failed');
            </script>""";

    @TempDir
    private Path directory = Path.of("");

    private final CompletableFuture<String> report = new CompletableFuture<>();
    private final CompletableFuture<HttpVersion> socket = new CompletableFuture<>();

    /** Octets of the body after the report. */
    private final CompletableFuture<Long> posted = new CompletableFuture<>();

    private final WebSocketHandler echo = WebSocketHandler.onText((connection, text) -> connection.sendText(text));

    private @Nullable Server server;

    private void serve(TlsImplementation implementation) throws IOException {
        assertTrue(Files.isExecutable(CHROMIUM), "there is no browser: install the package chromium");
        Path certificate = directory.resolve("cert.pem");
        Path key = directory.resolve("key.pem");
        TestTls.writePem(certificate, key);
        server = Server.builder()
                .connector(Connector.builder()
                        .port(0)
                        .tls(TlsOptions.of(TlsHost.any().pem(certificate, key))
                                .with(TlsOptions.IMPLEMENTATION, implementation))
                        .protocols(List.of(
                                new Http2Protocol(Settings.DEFAULTS, "https"),
                                new Http1Protocol(Settings.DEFAULTS, "https")))
                        .build())
                .handler(this::handle)
                .start();
    }

    private void handle(HttpExchange exchange) throws Exception {
        switch (exchange.request().path().decoded()) {
            case "/" -> Responses.html(exchange, 200, PAGE);
            case "/socket" -> {
                socket.complete(exchange.request().version());
                echo.handle(exchange);
            }
            case "/report" -> {
                posted.complete(exchange.request().contentLength());
                report.complete(String.valueOf(exchange.request().query()));
                Responses.text(exchange, 200, "thanks");
            }
            default -> Responses.text(exchange, 404, "nothing");
        }
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    /** Ends all of its processes, so that none writes into its directory any more. */
    private static void end(Process browser) throws InterruptedException {
        List<ProcessHandle> children = browser.descendants().toList();
        browser.destroyForcibly().waitFor();
        for (ProcessHandle child : children) {
            child.destroyForcibly();
            child.onExit().join();
        }
    }

    private String url() {
        if (server == null) {
            throw new IllegalStateException("no test is running");
        }
        return "https://localhost:" + server.port() + "/";
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Connectors#tls")
    void loadsItsPageAndConnectsItsWebSocket(TlsImplementation implementation) throws Exception {
        serve(implementation);
        Process browser = new ProcessBuilder(
                        CHROMIUM.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-breakpad",
                        "--ignore-certificate-errors",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + directory.resolve("profile"),
                        url())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("browser.log").toFile())
                .start();
        try {
            assertEquals("h2,hello", report.get(LONGEST_MINUTES, TimeUnit.MINUTES));
            assertEquals(HttpVersion.HTTP_2, socket.get());
            assertEquals(100_000L, posted.get());
        } finally {
            end(browser);
        }
    }
}
