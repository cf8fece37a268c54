package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.io.BufferPool;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.proxy.BackendState;
import io.millrace.proxy.ProxyApplication;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The proxy with a backend of one protocol, on every installed transport, and an HTTP/1.1 client: requests and responses of
 * {@link ContractServer} are forwarded unchanged. The backend allows ten streams, and its buffers are counted. The proxy …
 */
@Tag("pairs")
@ParameterizedClass
@MethodSource("io.millrace.testkit.Transports#connections")
@Timeout(120)
public abstract class BackendContract {

    private static final int STREAMS = 10;

    @Parameter(0)
    private String transport = "";

    /** The TLS implementation of the proxy; null for plain connections. */
    @Parameter(1)
    private @Nullable TlsImplementation security;

    @TempDir
    private @Nullable Path directory;

    private final ContractServer backend = new ContractServer();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<RawClient> clients = new ArrayList<>();
    private @Nullable TransportHarness harness;
    private @Nullable Server proxy;
    private @Nullable ProxyApplication application;

    /** The backend's protocol, for requests of a scheme. */
    protected abstract Protocol protocol(Settings options, String scheme);

    /** The scheme of the backend's address. */
    protected abstract String scheme(boolean tls);

    /** Whether the protocol has interim responses. */
    protected boolean hasInterim() {
        return true;
    }

    @BeforeEach
    void start() throws IOException {
        TlsImplementation implementation = security;
        boolean secure = implementation != null;
        TransportProvider provider = Transports.provider(transport);
        Protocol protocol =
                protocol(Settings.DEFAULTS.with(MuxOptions.MAX_CONCURRENT_STREAMS, STREAMS), secure ? "https" : "http");
        TransportHarness listening = secure
                ? TransportHarness.secured(provider, TestTls.choosing(protocol.id()))
                : new TransportHarness(provider);
        harness = listening;
        listening.accept(connection -> {
            connections.incrementAndGet();
            ConnectionHandler handler = protocol.open(connection, null, backend);
            connection.install(handler);
            handler.onReadable();
        });
        int port = ((InetSocketAddress) listening.address()).getPort();
        ProxyApplication made = ProxyApplication.to(scheme(secure) + "://localhost:" + port);
        application = implementation == null ? made : made.tls(trusting(implementation));
        proxy = Server.builder()
                .transport(provider)
                .connector(Connector.builder()
                        .transport(provider.name())
                        .address("127.0.0.1")
                        .port(0)
                        .build())
                .application(application)
                .start();
    }

    private TlsClientOptions trusting(TlsImplementation implementation) throws IOException {
        if (directory == null) {
            throw new IllegalStateException("no test is running");
        }
        Path certificate = directory.resolve("certificate.pem");
        TestTls.writePem(certificate, directory.resolve("key.pem"));
        return TlsClientOptions.DEFAULT
                .with(TlsOptions.IMPLEMENTATION, implementation)
                .with(TlsHost.CA_CERTIFICATE_FILE, certificate);
    }

    @AfterEach
    void stop() throws Exception {
        for (RawClient each : clients) {
            each.close();
        }
        if (proxy != null) {
            proxy.stop(Duration.ZERO);
        }
        if (harness != null) {
            harness.close();
        }
    }

    Http1ContractClient connect() throws IOException {
        if (proxy == null) {
            throw new IllegalStateException("no test is running");
        }
        RawClient client = RawClient.connect(proxy.port());
        clients.add(client);
        return new Http1ContractClient(new SocketLink(client, BufferPool.ofDefaultSize()));
    }

    private BackendState state() {
        if (application == null) {
            throw new IllegalStateException("no test is running");
        }
        return application.status().get(0).state();
    }

    private static ContractResponse ask(Http1ContractClient client, ContractRequest request) throws Exception {
        client.send(request);
        return client.receive();
    }

    @Test
    void passesResponsesWithAndWithoutBodies() throws Exception {
        Http1ContractClient client = connect();
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    "hello x=y",
                    ask(client, ContractRequest.of("GET", "/hello?x=y")).text());
            ContractResponse head = ask(client, ContractRequest.of("HEAD", "/fixed?1000"));
            assertEquals("1000", head.headers().get("Content-Length"));
            assertEquals(204, ask(client, ContractRequest.of("GET", "/nothing")).status());
            assertEquals(205, ask(client, ContractRequest.of("GET", "/reset")).status());
            assertEquals(
                    "failed", ask(client, ContractRequest.of("GET", "/error")).text());
            ContractRequest named = ContractRequest.of("GET", "/header").with("X-Large", "x".repeat(2000));
            assertEquals(2000, ask(client, named).text().length());
            assertEquals(
                    "large",
                    ask(client, ContractRequest.of("GET", "/headers?4000")).text());
        }
        assertEquals(1, connections.get());
    }

    @ParameterizedTest
    @CsvSource({"0, true", "0, false", "1, true", "1, false", "40000, true", "40000, false", "3000000, true"})
    @DiffersByTransport
    void passesBodies(int size, boolean lengthKnown) throws Exception {
        Http1ContractClient client = connect();
        byte[] body = Patterns.bytes(size, size);
        for (int i = 0; i < 2; i++) {
            ContractRequest request = ContractRequest.of("POST", "/length").withBody(body, lengthKnown);
            assertEquals(Integer.toString(size), ask(client, request).text());
        }
        ContractRequest echo = ContractRequest.of("POST", "/echo").withBody(body, lengthKnown);
        assertArrayEquals(body, ask(client, echo).body());
    }

    @ParameterizedTest
    @CsvSource({"/stream?1", "/stream?3000000", "/fixed?3000000"})
    @DiffersByTransport
    void passesLongResponses(String target) throws Exception {
        ContractResponse response = ask(connect(), ContractRequest.of("GET", target));
        int length = Integer.parseInt(target.substring(target.indexOf('?') + 1));
        assertEquals(length, response.body().length);
        assertTrue(response.complete());
    }

    @Test
    void passesTheTrailersOfARequest() throws Exception {
        ContractRequest request = ContractRequest.of("POST", "/trailers")
                .withBody(Patterns.bytes(3, 1000), false)
                .withTrailer("X-Sum", "6");
        assertEquals("x-sum=6.", ask(connect(), request).text().toLowerCase(Locale.ROOT));
    }

    @Test
    void passesAResponseThatComesBeforeTheBody() throws Exception {
        Http1ContractClient client = connect();
        ContractRequest request = ContractRequest.of("POST", "/early")
                .withBody(Patterns.bytes(1, 100), true)
                .expectingContinue();
        assertEquals(403, ask(client, request).status());
        assertEquals(
                "hello null",
                ask(connect(), ContractRequest.of("GET", "/hello")).text());
    }

    @Test
    void passesTheInterimResponsesThatItsProtocolHas() throws Exception {
        ContractResponse response = ask(connect(), ContractRequest.of("GET", "/early-hints"));
        assertEquals(hasInterim() ? List.of(103) : List.of(), response.interim());
        assertEquals("hinted", response.text());
    }

    @Test
    void cutsAResponseThatTheBackendCuts() throws Exception {
        assertFalse(ask(connect(), ContractRequest.of("GET", "/cut")).complete());
        assertEquals(
                "hello null",
                ask(connect(), ContractRequest.of("GET", "/hello")).text());
        assertEquals(1, connections.get());
    }

    /** A refused request was not processed, and the backend serves others, so that it has not failed. */
    @Test
    void ejectsNoBackendThatRefusesRequests() throws Exception {
        Http1ContractClient client = connect();
        for (int i = 0; i < 10; i++) {
            assertEquals(503, ask(client, ContractRequest.of("GET", "/refused")).status());
        }
        assertEquals(BackendState.UP, state());
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    /** At the backend's limit of streams, further requests use another connection. */
    @Test
    void opensAnotherConnectionWhenStreamsRunOut() throws Exception {
        ask(connect(), ContractRequest.of("GET", "/hello")); // the backend's limits have been received
        List<Http1ContractClient> waiting = new ArrayList<>();
        for (int i = 0; i < STREAMS + 2; i++) {
            Http1ContractClient client = connect();
            client.send(ContractRequest.of("GET", "/late?" + i));
            waiting.add(client);
        }
        Deadline.await("another connection", () -> connections.get() == 2);
        for (int i = 0; i < waiting.size(); i++) {
            backend.runLater();
        }
        for (int i = 0; i < waiting.size(); i++) {
            assertEquals("late " + i, waiting.get(i).receive().text());
        }
        assertEquals(2, connections.get());
    }

    @Test
    @DiffersByTransport
    void resetsTheStreamAloneOfAClientThatGoes() throws Exception {
        Http1ContractClient leaving = connect();
        leaving.send(ContractRequest.of("GET", "/late?0"));
        backend.awaitDeferred();
        leaving.breakOff();
        Deadline.await("the backend to learn of it", () -> backend.failure() != null);
        assertEquals(
                "hello null",
                ask(connect(), ContractRequest.of("GET", "/hello")).text());
        assertEquals(1, connections.get());
    }

    /** The same for protocols without tunnels, which cannot carry WebSockets. */
    public abstract static class WithoutTunnels extends BackendContract {

        @Test
        void sendsAWebSocketHandshakeAsAnOrdinaryRequest() throws Exception {
            Http1ContractClient client = connect();
            ContractRequest upgrade = ContractRequest.of("GET", "/hello")
                    .with("Connection", "Upgrade")
                    .with("Upgrade", "websocket")
                    .with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
                    .with("Sec-WebSocket-Version", "13");
            assertEquals(200, ask(client, upgrade).status());
            assertEquals(
                    "hello null",
                    ask(connect(), ContractRequest.of("GET", "/hello")).text());
        }
    }
}
