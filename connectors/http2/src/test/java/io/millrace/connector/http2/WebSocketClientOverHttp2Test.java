package io.millrace.connector.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.HttpVersion;
import io.millrace.http.WebSocketAccept;
import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.TestProxy;
import io.millrace.testkit.TestTls;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.HandshakePolicy;
import io.millrace.websocket.client.HandshakePolicy.Http2Use;
import io.millrace.websocket.client.WebSocketClient;
import io.millrace.websocket.client.WebSocketRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The WebSocket client with servers that speak HTTP/2 (RFC 8441). It … */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WebSocketClientOverHttp2Test {

    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT
            .with(WebSocketOptions.MAX_TEXT_SIZE, 1 << 20)
            .withSubprotocols(List.of("chat"));

    private final ClientRuntime runtime;
    private @Nullable Server secure;
    private @Nullable Server plain;
    private TlsClientOptions trusting = TlsClientOptions.DEFAULT;

    WebSocketClientOverHttp2Test() throws IOException {
        runtime = ClientRuntime.start("over-http2");
    }

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        TestTls.writePem(certificate, key);
        trusting = TlsClientOptions.DEFAULT.with(TlsHost.CA_CERTIFICATE_FILE, certificate);
        secure = Server.builder()
                .connector(Connector.builder()
                        .port(0)
                        .tls(TlsOptions.of(TlsHost.any().pem(certificate, key)))
                        .protocols(protocols("https"))
                        .build())
                .handler(WebSocketClientOverHttp2Test::serve)
                .start();
        plain = Server.builder()
                .connector(
                        Connector.builder().port(0).protocols(protocols("http")).build())
                .handler(WebSocketClientOverHttp2Test::serve)
                .start();
    }

    private static List<Protocol> protocols(String scheme) {
        return List.of(new Http2Protocol(Settings.DEFAULTS, scheme), new Http1Protocol(Settings.DEFAULTS, scheme));
    }

    @AfterAll
    void stop() {
        runtime.close();
        close(secure);
        close(plain);
    }

    private static void close(@Nullable Server server) {
        if (server != null) {
            server.close();
        }
    }

    private static int port(@Nullable Server server) {
        return server == null ? 0 : server.port();
    }

    /** Echoes; {@code bye} is answered with a close, and requests for {@code /none} with 404. */
    private static void serve(HttpExchange exchange) {
        if (exchange.request().path().decoded().equals("/none")) {
            exchange.response().status(404);
            return;
        }
        HttpVersion version = exchange.request().version();
        WebSocketHandshake.accept(
                exchange,
                new WebSocketListener() {
                    @Override
                    public void onText(WebSocketConnection connection, String text) {
                        switch (text) {
                            case "bye" -> connection.close(new CloseStatus(4000, "as asked"));
                            case "version" -> connection.sendText(version.toString());
                            default -> connection.sendText(text);
                        }
                    }
                },
                OPTIONS);
    }

    private static final class Recorder implements WebSocketListener {

        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void onText(WebSocketConnection connection, String message) {
            events.add(message);
        }

        @Override
        public void onClose(WebSocketConnection connection, CloseStatus status) {
            events.add(status);
        }

        private Object next() throws InterruptedException {
            Object next = events.poll(20, TimeUnit.SECONDS);
            return next == null ? "nothing" : next;
        }
    }

    private WebSocketClient client(HandshakePolicy policy) {
        return runtime.client(trusting).withPolicy(policy);
    }

    private static WebSocketRequest request(String uri) {
        return WebSocketRequest.to(uri).withOptions(OPTIONS);
    }

    private static void converse(WebSocketConnection connection, Recorder recorder, HttpVersion version)
            throws Exception {
        assertEquals("chat", connection.info().subprotocol());
        assertEquals(1, connection.info().extensions().size());
        assertEquals(version, connection.request().version());
        connection.sendText("version");
        assertEquals(version.toString(), recorder.next());
        StringBuilder large = new StringBuilder();
        new SecureRandom()
                .ints(200_000, 'a', 'z')
                .forEach(c -> large.append((char) c)); // deflate makes it little smaller
        for (int i = 0; i < 3; i++) {
            connection.sendText(large.toString());
            assertEquals(large.toString(), recorder.next());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void usesHttp2IfTheServerSelectsItByAlpn(boolean throughProxy) throws Exception {
        try (TestProxy proxy = TestProxy.open()) {
            HandshakePolicy policy = throughProxy
                    ? HandshakePolicy.STRICT.withProxies(ProxySelector.of(proxy.address()), null)
                    : HandshakePolicy.STRICT;
            Recorder recorder = new Recorder();
            WebSocketConnection connection = Deadline.await(
                    client(policy).connect(request("wss://localhost:" + port(secure) + "/echo"), recorder));
            converse(connection, recorder, HttpVersion.HTTP_2);
            connection.close(CloseStatus.NORMAL);
            assertEquals(
                    1000, assertInstanceOf(CloseStatus.class, recorder.next()).code());
            assertEquals(throughProxy ? 1 : 0, proxy.requests().size());
        }
        noConnectionIsLeft(secure);
    }

    @Test
    void usesHttp2WithoutTlsIfToldThatTheServerHasIt() throws Exception {
        Recorder recorder = new Recorder();
        WebSocketConnection connection =
                Deadline.await(client(HandshakePolicy.STRICT.withHttp2(Http2Use.PRIOR_KNOWLEDGE))
                        .connect(request("ws://localhost:" + port(plain) + "/echo"), recorder));
        converse(connection, recorder, HttpVersion.HTTP_2);
        connection.sendText("bye");
        assertEquals(4000, assertInstanceOf(CloseStatus.class, recorder.next()).code());
        noConnectionIsLeft(plain);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void usesHttp11OtherwiseOrIfToldTo(boolean tls) throws Exception {
        String uri = tls ? "wss://localhost:" + port(secure) + "/echo" : "ws://localhost:" + port(plain) + "/echo";
        HandshakePolicy policy = tls ? HandshakePolicy.STRICT.withHttp2(Http2Use.OFF) : HandshakePolicy.STRICT;
        Recorder recorder = new Recorder();
        WebSocketConnection connection = Deadline.await(client(policy).connect(request(uri), recorder));
        converse(connection, recorder, HttpVersion.HTTP_1_1);
        connection.close(CloseStatus.NORMAL);
        assertEquals(1000, assertInstanceOf(CloseStatus.class, recorder.next()).code());
    }

    @Test
    void reportsTheStatusOfARefusal() throws Exception {
        CompletableFuture<WebSocketConnection> refused = client(HandshakePolicy.STRICT)
                .connect(request("wss://localhost:" + port(secure) + "/none"), new Recorder());
        ExecutionException failure = assertThrows(ExecutionException.class, () -> refused.get(20, TimeUnit.SECONDS));
        assertEquals(
                404,
                assertInstanceOf(WebSocketHandshakeException.class, failure.getCause())
                        .status());
        noConnectionIsLeft(secure);
    }

    private static void noConnectionIsLeft(@Nullable Server server) throws Exception {
        Deadline.await(
                "the connection to be closed",
                () -> server == null || server.connectorStates().stream().allMatch(each -> each.open() == 0));
    }

    /** The first connection of a client finds it out, the second and all later ones are HTTP/1.1's. */
    @Test
    void fallsBackToHttp11WithServersThatHaveNoTunnelsOnHttp2() throws Exception {
        try (ServerWithoutTunnels server = new ServerWithoutTunnels()) {
            WebSocketClient client = client(HandshakePolicy.STRICT);
            for (int i = 0; i < 2; i++) {
                WebSocketConnection connection =
                        Deadline.await(client.connect(WebSocketRequest.to(server.uri()), new Recorder()));
                assertEquals(HttpVersion.HTTP_1_1, connection.request().version());
                connection.abort(new IOException("the test is over"));
            }
            assertEquals(List.of("h2", "", ""), server.selected);
        }
    }

    /** Selects HTTP/2 if it is offered, whose settings lack ENABLE_CONNECT_PROTOCOL; accepts every WebSocket in HTTP/1.1. */
    private static final class ServerWithoutTunnels implements AutoCloseable {

        private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

        private final SSLServerSocket listening;
        private final List<String> selected = new CopyOnWriteArrayList<>();
        private final Thread thread = new Thread(this::serve, "server-without-tunnels");

        ServerWithoutTunnels() throws Exception {
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(TestTls.keyStore(), TestTls.PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            listening = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0);
            SSLParameters parameters = listening.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            listening.setSSLParameters(parameters);
            thread.start();
        }

        String uri() {
            return "wss://localhost:" + listening.getLocalPort() + "/";
        }

        private void serve() {
            while (!listening.isClosed()) {
                try (SSLSocket socket = (SSLSocket) listening.accept()) {
                    socket.startHandshake();
                    String protocol = socket.getApplicationProtocol();
                    selected.add(protocol);
                    if (protocol.equals("h2")) {
                        socket.getOutputStream().write(SETTINGS);
                    } else {
                        upgrade(socket);
                    }
                    socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                } catch (IOException ended) {
                    // by the client, or by close
                }
            }
        }

        private static void upgrade(SSLSocket socket) throws IOException {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException();
                }
                head.append((char) next);
            }
            String name = "Sec-WebSocket-Key: ";
            int at = head.indexOf(name) + name.length();
            String accept = WebSocketAccept.of(head.substring(at, head.indexOf("\r\n", at)));
            socket.getOutputStream()
                    .write(("HTTP/1.1 101 \r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                                    + accept + "\r\n\r\n")
                            .getBytes(ISO_8859_1));
        }

        @Override
        public void close() throws IOException {
            listening.close();
            try {
                thread.join(20_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
