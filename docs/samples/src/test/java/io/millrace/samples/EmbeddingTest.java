package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.ServerContext;
import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.io.Timers;
import io.millrace.net.AddressSet;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.Transports;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the embedding API … */
@Timeout(60)
class EmbeddingTest {

    @Test
    void sayHello() throws Exception {
        try (Server server = GettingStarted.hello()) {
            GettingStarted.use(server);
            HttpResponse<String> answer = new Client(server).get("/any");
            assertEquals(200, answer.statusCode());
            assertEquals("Hello!\n", answer.body());
        }
    }

    @Test
    @NeedsConnector("nio")
    void listenOnTwoPorts() throws Exception {
        try (Server server = Embedding.connectors()) {
            for (int port : server.ports()) {
                assertEquals("Hello!\n", new Client(port).get("/").body());
            }
        }
    }

    @Test
    void changeApplicationsWhileTheServerRuns() throws Exception {
        Application counter = new Embedding.Counter();
        Application better = new Embedding.Counter();
        try (Server server = Server.builder().port(0).start()) {
            Embedding.change(server, counter, better);
            assertEquals(404, new Client(server).get("/counter").statusCode());
            server.deploy(counter);
            assertEquals("1\n", new Client(server).get("/counter").body());
        }
    }

    @Test
    @NeedsConnector("nio")
    void configureSocketsAndHttp() throws Exception {
        HttpHandler handler = exchange -> Responses.text(
                exchange,
                200,
                exchange.request().scheme() + " " + exchange.request().authority());
        try (Server server = Server.builder()
                .connector(Embedding.sockets())
                .connector(Embedding.http1())
                .connector(Embedding.behindProxy())
                .handler(handler)
                .start()) {
            int plain = server.ports().get(0);
            assertEquals("http 127.0.0.1:" + plain, new Client(plain).get("/").body());
            HttpResponse<String> named = new Client(server.ports().get(1)).get("/");
            assertEquals("my server", named.headers().firstValue("Server").orElse(""));
            assertEquals(
                    "https www.example.org:443",
                    new Client(server.ports().get(2)).get("/").body());
        }
    }

    @Test
    void hostApplications() throws Exception {
        Application fragile = new Application() {
            @Override
            public String contextPath() {
                return "/fragile";
            }

            @Override
            public HttpHandler start(ServerContext server) {
                throw new IllegalStateException("no");
            }

            @Override
            public void stop() {
                throw new AssertionError("it was never started");
            }
        };
        try (Server server = Embedding.applications(new Embedding.Counter(), fragile)) {
            Client client = new Client(server);
            assertEquals("1\n", client.get("/counter").body());
            assertEquals("2\n", client.get("/counter/").body());
            assertEquals(503, client.get("/fragile/x").statusCode());
            assertEquals(404, client.get("/other").statusCode());
            assertEquals(1, server.failures().size());
        }
    }

    @Test
    void chooseByHost() throws Exception {
        HttpHandler blog = exchange -> Responses.text(exchange, 200, "blog");
        try (Server server = Embedding.hosts(new Embedding.Counter(), blog)) {
            assertEquals("1\n", new Client(server).get("/counter").body());
            assertEquals("blog", Raw.get(server.port(), "/", "my.blog.example.org:80"));
            assertEquals("2\n", Raw.get(server.port(), "/counter", "WWW.shop.example.org"));
        }
    }

    @Test
    void showMetrics() throws Exception {
        try (Server server = Embedding.metrics()) {
            assertEquals("Hello!\n", new Client(server).get("/").body());
            String metrics = new Client(server).get("/metrics").body();
            assertTrue(metrics.contains("# TYPE millrace_requests_total counter"), metrics);
        }
    }

    @Test
    void limitThreadsAndMemory() throws Exception {
        try (Server server = Embedding.resources()) {
            assertEquals("Hello!\n", new Client(server).get("/").body());
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void runRequestsOnVirtualThreads() throws Exception {
        try (Server server = Embedding.virtualThreads()) {
            String thread = new Client(server).get("/").body();
            assertTrue(thread.startsWith("VirtualThread[") && thread.contains("app-"), thread);
        }
    }

    @Test
    void trustHeadersOfFrontEndsOnly() throws Exception {
        try (Server near = Embedding.forwarded(AddressSet.parse("127.0.0.1"));
                Server far = Embedding.forwarded(AddressSet.parse("10.0.0.0/8"))) {
            for (Server server : List.of(near, far)) {
                Client client = new Client(server);
                HttpRequest request = client.to("/")
                        .header("X-Forwarded-For", "192.0.2.7")
                        .header("X-Forwarded-Proto", "https")
                        .build();
                String expected = server.equals(near) ? "https" : "http";
                assertEquals(expected, client.send(request).body());
            }
        }
    }

    @Test
    void closeConnectionsWithoutATrustedProxyProtocolHeader() throws Exception {
        HttpHandler handler = exchange -> Responses.text(exchange, 200, "Hello!\n");
        try (Server server = Server.builder()
                .connector(Embedding.proxyProtocol())
                .handler(handler)
                .start()) {
            assertThrows(IOException.class, () -> new Client(server).get("/"));
        }
    }

    @Test
    @NeedsConnector("bio")
    void haveThreadsAndAttributesOfTheirOwn() throws Exception {
        AttributeKey<String> tenant = AttributeKey.of("tenant", String.class);
        try (Timers timers = new Timers("own-timers");
                WorkerPool pool = new WorkerPool("own", 4, 1, Duration.ofSeconds(5), 100, timers);
                Server server = Server.builder()
                        .connector(Embedding.threads(pool, tenant))
                        .handler(exchange -> Responses.text(
                                exchange,
                                200,
                                String.valueOf(exchange.attributes().get(tenant))))
                        .start()) {
            assertEquals("north", new Client(server).get("/").body());
        }
    }

    @Test
    @NeedsConnector("nio")
    void listenOnAUnixDomainSocket(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("millrace.sock");
        HttpHandler handler = exchange -> Responses.text(exchange, 200, "Hello!\n");
        try (Server server = Server.builder()
                        .connector(Embedding.unixSocket(file))
                        .handler(handler)
                        .start();
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            assertTrue(server.isRunning());
            String request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            channel.write(StandardCharsets.US_ASCII.encode(request));
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.endsWith("Hello!\n"), answer);
        }
    }

    @Test
    void takeTheSocketOfInetd() {
        assertTrue(Embedding.inherited().settings().get(ConnectorOptions.USE_INHERITED_CHANNEL));
    }

    @Test
    void rewriteRequestsOfAHost() throws Exception {
        try (Server server = Server.builder()
                .port(0)
                .virtualHost(Embedding.rewritten(new Embedding.Counter()))
                .defaultHost("localhost")
                .start()) {
            HttpResponse<String> answer = new Client(server).get("/old/hats");
            assertEquals(301, answer.statusCode());
            assertTrue(answer.headers().firstValue("Location").orElse("").endsWith("/shop/hats"));
        }
    }

    @Test
    void shareWorkers() throws Exception {
        try (Timers timers = new Timers("shared-timers");
                WorkerPool pool = new WorkerPool("shared", 4, 1, Duration.ofSeconds(5), 100, timers);
                Server server = Embedding.ownWorkers(pool, timers)) {
            String thread = new Client(server).get("/").body();
            assertTrue(thread.startsWith("shared-"), thread);
        }
    }

    @Test
    void writeErrors() throws Exception {
        try (Server server = Embedding.errors()) {
            HttpResponse<String> answer = new Client(server).get("/nothing");
            assertEquals(404, answer.statusCode());
            assertEquals("Sorry: 404\n", answer.body());
        }
    }

    @Test
    void takeATransportFromOutside() throws Exception {
        try (Server server = Embedding.ownTransport(Transports.provider(Transports.byDefault()))) {
            assertEquals("Hello!\n", new Client(server).get("/").body());
        }
    }

    @Test
    void reportHealth() throws Exception {
        try (Server server = Embedding.health()) {
            HttpResponse<String> answer = new Client(server).get("/health");
            assertEquals(200, answer.statusCode());
            assertTrue(answer.body().startsWith("{\"status\":\"UP\""), answer.body());
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void waitUntilTheServerHasStopped() throws Exception {
        Server server = GettingStarted.hello();
        Thread waiting = new Thread(() -> Embedding.main(server));
        waiting.start();
        Embedding.stop(server);
        waiting.join();
        assertFalse(server.isRunning());
    }
}
