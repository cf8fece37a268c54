package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Connectors;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import io.millrace.websocket.WebSocketHandshakeException;
import io.millrace.websocket.jsr.client.ClientSessions;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.websocket.ClientEndpoint;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.CloseReason;
import javax.websocket.ContainerProvider;
import javax.websocket.Decoder;
import javax.websocket.DeploymentException;
import javax.websocket.Encoder;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.HandshakeResponse;
import javax.websocket.MessageHandler;
import javax.websocket.OnClose;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.WebSocketContainer;
import javax.websocket.server.ServerEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client endpoint … */
@Timeout(60)
final class ClientEndpointTest {

    private static final String SSL_CONTEXT = "org.apache.tomcat.websocket.SSL_CONTEXT";
    private static final String SSL_IMPLEMENTATION = "io.millrace.websocket.sslImplementation";
    private static final String IO_TIMEOUT = "org.apache.tomcat.websocket.IO_TIMEOUT_MS";

    private final WebSocketContainer container = ContainerProvider.getWebSocketContainer();

    @ServerEndpoint(value = "/echo", subprotocols = "chat")
    public static final class Echo {

        @OnMessage
        public String text(String message, Session session) throws Exception {
            if (message.equals("bye")) {
                session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(4000), "as asked"));
            }
            return message;
        }

        @OnMessage
        public byte[] binary(byte[] message) {
            return message;
        }
    }

    /** A word that is encoded and decoded as text. */
    public record Word(String text) {

        /** In angle brackets. */
        public static final class Writing implements Encoder.Text<Word>, Decoder.Text<Word> {

            @Override
            public String encode(Word word) {
                return "<" + word.text() + ">";
            }

            @Override
            public Word decode(String text) {
                return new Word(text.substring(1, text.length() - 1));
            }

            @Override
            public boolean willDecode(String text) {
                return true;
            }

            @Override
            public void init(EndpointConfig config) {}

            @Override
            public void destroy() {}
        }
    }

    /** Records its calls. */
    @ClientEndpoint(
            subprotocols = {"other", "chat"},
            encoders = Word.Writing.class,
            decoders = Word.Writing.class,
            configurator = Fields.class)
    public static final class Annotated {

        static final BlockingQueue<Object> HEARD = new LinkedBlockingQueue<>();

        @OnOpen
        public void open(Session session) {
            HEARD.add("open " + session.getNegotiatedSubprotocol());
        }

        @OnMessage
        public void word(Word word) {
            HEARD.add(word);
        }

        @OnClose
        public void close(CloseReason reason) {
            HEARD.add(reason.getCloseCode().getCode());
        }
    }

    /** Adds a field, and records one of the response. */
    public static final class Fields extends ClientEndpointConfig.Configurator {

        static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

        @Override
        public void beforeRequest(Map<String, List<String>> headers) {
            headers.put("X-Test", List.of("yes"));
        }

        @Override
        public void afterResponse(HandshakeResponse response) {
            SEEN.add(String.valueOf(response.getHeaders().get("sec-websocket-protocol")));
        }
    }

    /** Echoes into a queue. */
    private static final class Programmatic extends Endpoint {

        private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
        private volatile @Nullable Session opened;

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            opened = session;
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>) heard::add);
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            heard.add(reason.getCloseCode().getCode());
        }
    }

    private static ClientEndpointConfig config(String name, Object value) {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        config.getUserProperties().put(name, value);
        return config;
    }

    private static Object next(BlockingQueue<Object> heard) throws InterruptedException {
        Object next = heard.poll(20, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was heard");
        }
        return next;
    }

    @Test
    void isConnectedByItsAnnotations() throws Exception {
        Annotated.HEARD.clear();
        Fields.SEEN.clear();
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            Session session = container.connectToServer(Annotated.class, server.uri("ws", "/echo?a=1&a=2&b"));
            assertEquals("open chat", next(Annotated.HEARD));
            assertEquals(List.of("[chat]"), List.copyOf(Fields.SEEN));
            assertEquals(Map.of("a", List.of("1", "2"), "b", List.of("")), session.getRequestParameterMap());
            session.getBasicRemote().sendObject(new Word("hello"));
            assertEquals(new Word("hello"), next(Annotated.HEARD));
            session.close();
            assertEquals(1000, next(Annotated.HEARD));
        }
    }

    @Test
    void isConnectedAsAnInstance() throws Exception {
        Annotated.HEARD.clear();
        try (EndpointServer server = EndpointServer.of(Echo.class);
                Session session = container.connectToServer(new Annotated(), server.uri("ws", "/echo"))) {
            assertTrue(session.isOpen());
            assertEquals("open chat", next(Annotated.HEARD));
            session.getBasicRemote().sendText("bye");
            assertEquals(4000, next(Annotated.HEARD));
        }
    }

    @Test
    void isOpenWhenConnectingIsOver() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            Programmatic endpoint = new Programmatic();
            Session session = container.connectToServer(
                    endpoint, ClientEndpointConfig.Builder.create().build(), server.uri("ws", "/echo"));
            assertEquals(session, endpoint.opened);
            session.getAsyncRemote().sendText("hello").get(20, TimeUnit.SECONDS);
            assertEquals("hello", next(endpoint.heard));
            session.close();
            assertEquals(1000, next(endpoint.heard));
        }
    }

    @Test
    void ends1001WithItsApplication() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            Programmatic endpoint = new Programmatic();
            container.connectToServer(
                    endpoint, ClientEndpointConfig.Builder.create().build(), server.uri("ws", "/echo"));
            ClientSessions.close(Thread.currentThread().getContextClassLoader());
            assertEquals(1001, next(endpoint.heard));
        }
    }

    /** Not only the sessions that are open then: an onClose may connect again. */
    @Test
    void ends1001IfItOpensAfterTheEndOfItsApplication() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class);
                URLClassLoader application =
                        new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            ClientSessions.close(application);
            Programmatic endpoint = new Programmatic();
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(application);
            try {
                container.connectToServer(
                        endpoint, ClientEndpointConfig.Builder.create().build(), server.uri("ws", "/echo"));
            } finally {
                thread.setContextClassLoader(before);
            }
            assertEquals(1001, next(endpoint.heard));
        }
    }

    @Test
    void connectsByTls(@TempDir Path work) throws Exception {
        try (EndpointServer server =
                EndpointServer.over(Transports.byDefault(), TlsImplementation.JSSE, work, Echo.class)) {
            URI uri = server.uri("ws", "/echo");
            Programmatic endpoint = new Programmatic();
            DeploymentException distrust = assertThrows(
                    DeploymentException.class,
                    () -> container.connectToServer(
                            endpoint, ClientEndpointConfig.Builder.create().build(), uri));
            assertInstanceOf(SSLException.class, distrust.getCause());
            Session session = container.connectToServer(endpoint, config(SSL_CONTEXT, trusting()), uri);
            assertTrue(session.isSecure());
            session.getBasicRemote().sendText("hello");
            assertEquals("hello", next(endpoint.heard));
            session.close();
        }
    }

    static List<String> implementations() {
        return Connectors.contain("openssl") ? List.of("openssl", "AUTO", "jsse") : List.of("AUTO", "jsse");
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void connectsByTheTlsOfItsChoice(String implementation, @TempDir Path work) throws Exception {
        Path store = work.resolve("trusted.p12");
        try (OutputStream out = Files.newOutputStream(store)) {
            trusted().store(out, "secret".toCharArray());
        }
        try (EndpointServer server =
                EndpointServer.over(Transports.byDefault(), TlsImplementation.JSSE, work, Echo.class)) {
            ClientEndpointConfig distrustful = config(SSL_IMPLEMENTATION, implementation);
            ClientEndpointConfig trustful = config(SSL_IMPLEMENTATION, implementation);
            trustful.getUserProperties().put("org.apache.tomcat.websocket.SSL_TRUSTSTORE", store.toString());
            trustful.getUserProperties().put("org.apache.tomcat.websocket.SSL_TRUSTSTORE_PWD", "secret");
            trustful.getUserProperties().put("org.apache.tomcat.websocket.SSL_PROTOCOLS", "TLSv1.2,TLSv1.3");
            URI uri = server.uri("ws", "/echo");
            for (int i = 0; i < 3; i++) {
                Programmatic endpoint = new Programmatic();
                DeploymentException distrust = assertThrows(
                        DeploymentException.class, () -> container.connectToServer(endpoint, distrustful, uri));
                assertInstanceOf(SSLException.class, distrust.getCause());
                Session session = container.connectToServer(endpoint, trustful, uri);
                session.getBasicRemote().sendText("hello");
                assertEquals("hello", next(endpoint.heard));
                session.close();
            }
        }
    }

    @Test
    void takesOneImplementationOfTlsAndNoOther() throws Exception {
        ClientEndpointConfig both = config(SSL_IMPLEMENTATION, "openssl");
        both.getUserProperties().put(SSL_CONTEXT, trusting());
        for (ClientEndpointConfig wrong : List.of(both, config(SSL_IMPLEMENTATION, "gnutls"))) {
            DeploymentException refused = assertThrows(
                    DeploymentException.class,
                    () -> container.connectToServer(new Programmatic(), wrong, URI.create("wss://localhost:1/")));
            assertTrue(String.valueOf(refused.getMessage()).startsWith(SSL_IMPLEMENTATION), refused::getMessage);
        }
    }

    private static KeyStore trusted() throws Exception {
        KeyStore keys = TestTls.keyStore();
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate(keys.aliases().nextElement()));
        return trusted;
    }

    private static SSLContext trusting() throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void saysWhatTheServerAnsweredInstead() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            DeploymentException refused = assertThrows(
                    DeploymentException.class,
                    () -> container.connectToServer(Annotated.class, server.uri("ws", "/nothing")));
            WebSocketHandshakeException why = assertInstanceOf(WebSocketHandshakeException.class, refused.getCause());
            assertEquals(404, why.status());
        }
    }

    @Test
    void refusesWhatIsConfiguredWrongly() {
        URI nowhere = URI.create("ws://localhost:1/");
        Programmatic endpoint = new Programmatic();
        assertThrows(DeploymentException.class, () -> container.connectToServer(new Object(), nowhere));
        assertThrows(
                DeploymentException.class,
                () -> container.connectToServer(endpoint, config(IO_TIMEOUT, "soon"), nowhere));
        assertThrows(
                DeploymentException.class,
                () -> container.connectToServer(endpoint, config(SSL_CONTEXT, "x"), nowhere));
        assertThrows(
                DeploymentException.class,
                () -> container.connectToServer(Annotated.class, URI.create("http://localhost:1/")));
        assertThrows(DeploymentException.class, () -> container.connectToServer(Annotated.class, nowhere));
    }

    @Test
    void isCalledWithTheClassLoaderOfWhoConnected() throws Exception {
        try (EndpointServer server = EndpointServer.of(Echo.class)) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            ClassLoader mine = new ClassLoader(before) {};
            BlockingQueue<Object> loaders = new LinkedBlockingQueue<>();
            thread.setContextClassLoader(mine);
            try {
                container.connectToServer(
                        new Endpoint() {
                            @Override
                            public void onOpen(Session session, EndpointConfig config) {
                                loaders.add(Thread.currentThread().getContextClassLoader());
                            }
                        },
                        ClientEndpointConfig.Builder.create().build(),
                        server.uri("ws", "/echo"));
            } finally {
                thread.setContextClassLoader(before);
            }
            assertEquals(mine, next(loaders));
            ClientSessions.close(mine);
        }
    }
}
