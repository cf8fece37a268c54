package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.io.TransportProvider;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.layer.TlsLayer;
import io.millrace.tls.material.TlsClients;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.client.HandshakePolicy;
import io.millrace.websocket.client.WebSocketClient;
import io.millrace.websocket.client.WebSocketRequest;
import io.millrace.workers.WorkerPool;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The WebSocket client on a transport. A client … */
@Timeout(120)
public abstract class WebSocketClientContract {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT
            .with(WebSocketOptions.MAX_TEXT_SIZE, 1 << 20)
            .withSubprotocols(List.of("chat", "superchat"));

    private final WorkerPool workers = new WorkerPool("test-workers", 20, 0);
    private @Nullable TransportHarness harness;

    private final Queue<TlsClientEngines> opened = new ConcurrentLinkedQueue<>();

    @TempDir
    private @Nullable Path directory;

    /** The transport. */
    protected abstract TransportProvider provider();

    /** The TLS implementation of the client; the JDK's by default. */
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void open() {
        harness = TransportHarness.secured(provider(), TestTls.by(TlsImplementation.JSSE));
    }

    @AfterEach
    void close() throws Exception {
        harness().close();
        workers.close();
        opened.forEach(TlsClientEngines::close);
    }

    /** Records the events of one side. */
    private static final class Recorder implements WebSocketListener {

        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void onText(WebSocketConnection connection, String message) {
            events.add(message);
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            events.add(message);
        }

        @Override
        public void onClose(WebSocketConnection connection, CloseStatus status) {
            events.add(status);
        }

        private Object next() throws InterruptedException {
            Object next = events.poll(20, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("there was no event");
            }
            return next;
        }
    }

    private static final class Echo implements WebSocketListener {

        @Override
        public void onText(WebSocketConnection connection, String message) {
            if (message.equals("bye")) {
                connection.close(new CloseStatus(4000, "as asked"));
            } else {
                connection.sendText(message);
            }
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            connection.sendBinary(message);
        }
    }

    private String serve(boolean secured, WebSocketOptions options) throws IOException {
        ExchangeDispatcher dispatcher = new ExchangeDispatcher(
                new WebSocketHandler(new Echo(), options), workers, harness().timers(), ExchangeOptions.defaults());
        Http1Protocol protocol = new Http1Protocol(Settings.DEFAULTS, "http");
        TlsLayer layer = new TlsLayer(harness().tls(), workers, harness().timers(), LONG);
        java.util.function.Consumer<Connection> open = connection -> {
            ConnectionHandler handler = protocol.open(connection, null, dispatcher);
            connection.install(handler);
            handler.onReadable();
        };
        harness().acceptPlain(secured ? connection -> layer.open(connection, open) : open);
        int port = ((InetSocketAddress) harness().address()).getPort();
        return (secured ? "wss" : "ws") + "://localhost:" + port + "/echo?a=b";
    }

    private TlsClientEngines tls(TlsClientOptions options) {
        TlsClientEngines engines = TlsClients.open(options.with(TlsOptions.IMPLEMENTATION, implementation()));
        opened.add(engines);
        return engines;
    }

    private WebSocketClient client() throws IOException {
        return client(harness().dialer());
    }

    private WebSocketClient client(Dialer dialer) throws IOException {
        if (directory == null) {
            throw new IllegalStateException("no test is running");
        }
        Path certificate = directory.resolve("certificate.pem");
        TestTls.writePem(certificate, directory.resolve("key.pem"));
        TlsClientEngines tls = tls(TlsClientOptions.DEFAULT.with(TlsHost.CA_CERTIFICATE_FILE, certificate));
        return new WebSocketClient(dialer, workers, harness().timers(), tls);
    }

    private static WebSocketRequest request(String uri) {
        return WebSocketRequest.to(uri).withTimeout(LONG).withOptions(OPTIONS);
    }

    private static Throwable failure(CompletableFuture<WebSocketConnection> result) throws Exception {
        Throwable failure = Deadline.await(result.handle((connection, thrown) -> thrown));
        if (failure == null) {
            throw new AssertionError("the handshake has succeeded");
        }
        return failure;
    }

    @ParameterizedTest
    @CsvSource({"false, OFF", "false, NO_CONTEXT_TAKEOVER", "false, CONTEXT_TAKEOVER", "true, CONTEXT_TAKEOVER"})
    @DiffersByTransport
    void sendsAndReceivesMessages(boolean secured, DeflateMode deflate) throws Exception {
        String uri = serve(secured, OPTIONS.with(WebSocketOptions.DEFLATE, deflate));
        Recorder recorder = new Recorder();
        WebSocketConnection connection = Deadline.await(
                client().connect(request(uri).withOptions(OPTIONS.with(WebSocketOptions.DEFLATE, deflate)), recorder));
        assertEquals("chat", connection.info().subprotocol());
        assertEquals(
                deflate == DeflateMode.OFF ? 0 : 1,
                connection.info().extensions().size());
        String large = "Grüße, ".repeat(20_000);
        for (int i = 0; i < 3; i++) {
            connection.sendText("hello");
            connection.sendText(large);
            connection.sendBinary(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertEquals("hello", recorder.next());
            assertEquals(large, recorder.next());
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), recorder.next());
        }
        connection.close(CloseStatus.NORMAL);
        assertEquals(1000, assertInstanceOf(CloseStatus.class, recorder.next()).code());
    }

    @Test
    void failsAtOnceIfWhoeverSeesTheResponseThrows() throws Exception {
        CompletableFuture<WebSocketConnection> result = client().connect(
                        request(serve(false, OPTIONS)), new Recorder(), response -> {
                            throw new IllegalStateException("thrown by the test");
                        });
        assertEquals("thrown by the test", failure(result).getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectsThroughTheTunnelOfAProxy(boolean secured) throws Exception {
        String uri = serve(secured, OPTIONS);
        try (TestProxy proxy = TestProxy.open()) {
            HandshakePolicy policy = HandshakePolicy.STRICT.withProxies(ProxySelector.of(proxy.address()), null);
            Recorder recorder = new Recorder();
            WebSocketConnection connection =
                    Deadline.await(client().withPolicy(policy).connect(request(uri), recorder));
            String large = "Gr\u00fc\u00dfe, ".repeat(20_000);
            connection.sendText(large);
            assertEquals(large, recorder.next());
            String target = URI.create(uri).getAuthority();
            assertEquals(List.of("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n"), proxy.requests());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/1.1 502 Bad Gateway\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nmore", "HTTP/1.1 101 OK\r\n\r\n", ""
            })
    void failsIfTheProxyOpensNoTunnel(String answer) throws Exception {
        try (TestProxy proxy = TestProxy.answering(request -> answer)) {
            HandshakePolicy policy =
                    HandshakePolicy.STRICT.withMaxRedirects(1).withProxies(ProxySelector.of(proxy.address()), null);
            Throwable failure =
                    failure(client().withPolicy(policy).connect(request("ws://nowhere.test/"), new Recorder()));
            assertTrue(String.valueOf(failure.getMessage()).contains("proxy"), failure::toString);
            assertEquals(1, proxy.requests().size());
        }
    }

    @Test
    @DiffersByTransport
    void hearsThatTheServerCloses() throws Exception {
        Recorder recorder = new Recorder();
        Deadline.await(client().connect(request(serve(false, OPTIONS)), recorder))
                .sendText("bye");
        assertEquals(4000, assertInstanceOf(CloseStatus.class, recorder.next()).code());
    }

    @Test
    @DiffersByTransport
    void closesWith1001WhenItsDialerStops() throws Exception {
        Dialer dialer = harness().dialer();
        Recorder recorder = new Recorder();
        Deadline.await(client(dialer).connect(request(serve(false, OPTIONS)), recorder));
        Deadline.await(dialer.stop(LONG));
        assertEquals(1001, assertInstanceOf(CloseStatus.class, recorder.next()).code());
    }

    @Test
    void doesNotTrustAStranger() throws Exception {
        WebSocketClient distrustful =
                new WebSocketClient(harness().dialer(), workers, harness().timers(), tls(TlsClientOptions.DEFAULT));
        assertInstanceOf(
                SSLException.class, failure(distrustful.connect(request(serve(true, OPTIONS)), new Recorder())));
    }

    @Test
    @DiffersByTransport
    void saysThatNobodyListens() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertInstanceOf(
                DialException.class,
                failure(client().connect(request("ws://127.0.0.1:" + port + "/"), new Recorder())));
    }

    @ParameterizedTest
    @EnumSource(WrongUpgradeAnswer.class)
    void refusesAWrongAnswer(WrongUpgradeAnswer wrong) throws Exception {
        try (UpgradePeer peer = new UpgradePeer()) {
            CompletableFuture<WebSocketConnection> result = client().connect(request(peer.uri()), new Recorder());
            String accept = peer.accept();
            peer.send(wrong.answer.replace("@", accept).replace("|", "\r\n"));
            Throwable failure = failure(result);
            if (failure instanceof WebSocketHandshakeException refused) {
                assertEquals(wrong.status, refused.status());
            } else {
                assertInstanceOf(IOException.class, failure);
                assertEquals(0, wrong.status, failure::toString);
            }
            assertTrue(peer.isAtEnd(), "closed, and no frame was sent");
        }
    }

    @Test
    void passesOverInterimResponsesAndMasksWhatItSends() throws Exception {
        Recorder recorder = new Recorder();
        try (UpgradePeer peer = new UpgradePeer()) {
            CompletableFuture<WebSocketConnection> result = client().connect(request(peer.uri()), recorder);
            String accept = peer.accept();
            peer.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 101 \r\n"
                    + "upgrade: WebSocket\r\nConnection: keep-alive, upgrade\r\nSec-WebSocket-Accept: "
                    + accept + "\r\n\r\n\u0081\u0005first");
            WebSocketConnection connection = Deadline.await(result);
            assertNull(connection.info().subprotocol());
            assertEquals("first", recorder.next());
            connection.sendText("aaaaaaaa");
            connection.sendText("aaaaaaaa");
            assertNotEquals(masked(peer.input()), masked(peer.input()), "the mask is random");
        }
        assertEquals(1006, assertInstanceOf(CloseStatus.class, recorder.next()).code());
    }

    /** The mask of a text of eight octets. */
    private static int masked(DataInputStream in) throws IOException {
        assertEquals(0x81, in.read());
        assertEquals(0x88, in.read());
        int mask = in.readInt();
        assertEquals(0x61616161, in.readInt() ^ mask);
        assertEquals(0x61616161, in.readInt() ^ mask);
        return mask;
    }

    @Test
    void doesNotWaitForEver() throws Exception {
        try (UpgradePeer silent = new UpgradePeer()) {
            WebSocketRequest request = request(silent.uri()).withTimeout(Duration.ofMillis(200));
            assertInstanceOf(SocketTimeoutException.class, failure(client().connect(request, new Recorder())));
        }
    }

    @Test
    @DiffersByTransport
    void closesWhatIsCancelled() throws Exception {
        try (UpgradePeer silent = new UpgradePeer()) {
            Dialer dialer = harness().dialer();
            CompletableFuture<WebSocketConnection> result =
                    client(dialer).connect(request(silent.uri()), new Recorder());
            silent.accept();
            assertTrue(result.cancel(false));
            assertTrue(silent.isAtEnd());
            Deadline.await("the connection to be counted off", () -> dialer.connections() == 0);
        }
    }

    @Test
    void refusesWhatIsNoWebSocketUri() {
        assertThrows(IllegalArgumentException.class, () -> WebSocketRequest.to("http://localhost/"));
        assertThrows(IllegalArgumentException.class, () -> WebSocketRequest.to("ws://localhost/#fragment"));
        assertThrows(IllegalArgumentException.class, () -> WebSocketRequest.to("ws://me@localhost/"));
    }

    @Test
    void sendsNoFieldThatWouldSplitTheRequest() throws Exception {
        WebSocketRequest request = request(serve(false, OPTIONS)).withField("X-Name", "a\r\nX-Other: b");
        assertInstanceOf(IllegalArgumentException.class, failure(client().connect(request, new Recorder())));
    }

    /** Responses that do not establish a WebSocket. */
    enum WrongUpgradeAnswer {
        NOT_FOUND(404, "HTTP/1.1 404 Not Found|Content-Length: 0||"),
        REDIRECT(302, "HTTP/1.1 302 Found|Location: /elsewhere|Content-Length: 0||"),
        UNAUTHORIZED(401, "HTTP/1.1 401 |WWW-Authenticate: Basic realm=x|Content-Length: 0||"),
        WRONG_KEY(101, "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: AAAA||"),
        NO_KEY(101, "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade||"),
        TWO_KEYS(
                101,
                "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: @|Sec-WebSocket-Accept: @||"),
        OTHER_PROTOCOL(0, "HTTP/1.1 101 OK|Upgrade: h2c|Connection: Upgrade|Sec-WebSocket-Accept: @||"),
        NO_UPGRADE(0, "HTTP/1.1 101 OK|Connection: Upgrade|Sec-WebSocket-Accept: @||"),
        NO_CONNECTION(0, "HTTP/1.1 101 OK|Upgrade: websocket|Sec-WebSocket-Accept: @||"),
        SUBPROTOCOL(
                101,
                "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: @|Sec-WebSocket-Protocol: soap||"),
        EXTENSION(
                101,
                "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: @|Sec-WebSocket-Extensions: x-mux||"),
        MALFORMED(0, "HTTP/2 101 OK|Upgrade: websocket||"),
        FOLDED(0, "HTTP/1.1 101 OK|Upgrade: web| socket||"),
        BARE_LF(0, "HTTP/1.1 101 OK\nUpgrade: websocket\n\n"),
        NONE(0, "");

        final int status;
        final String answer;

        WrongUpgradeAnswer(int status, String answer) {
            this.status = status;
            this.answer = answer.isEmpty() ? "HTTP/1.1 1x1 OK||" : answer;
        }
    }

    /** A WebSocket server for one client, which sends exactly the given bytes. */
    private static final class UpgradePeer implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private @Nullable Socket accepted;

        UpgradePeer() throws IOException {}

        /** The URI on which it listens. */
        String uri() {
            return "ws://127.0.0.1:" + listening.getLocalPort() + "/";
        }

        /** Accepts the client, reads its handshake, and returns the Sec-WebSocket-Accept of a valid response (RFC 6455, 4.2.2). */
        String accept() throws Exception {
            accepted = listening.accept();
            DataInputStream in = input();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            int at = head.indexOf("Sec-WebSocket-Key: ") + "Sec-WebSocket-Key: ".length();
            String key = head.substring(at, head.indexOf("\r\n", at));
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        }

        /** The input from the client. */
        DataInputStream input() throws IOException {
            return new DataInputStream(accepted().getInputStream());
        }

        /** Sends ISO 8859-1 text. */
        void send(String text) throws IOException {
            accepted().getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Waits for the client; returns whether it has closed the connection without sending more. */
        boolean isAtEnd() {
            try {
                return accepted().getInputStream().read() < 0;
            } catch (IOException reset) {
                return true;
            }
        }

        private Socket accepted() {
            if (accepted == null) {
                throw new IllegalStateException("no client was accepted");
            }
            return accepted;
        }

        @Override
        public void close() throws IOException {
            try (listening) {
                if (accepted != null) {
                    accepted.close();
                }
            }
        }
    }
}
