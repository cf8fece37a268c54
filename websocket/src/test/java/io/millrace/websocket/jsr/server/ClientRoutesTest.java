package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.TestProxy;
import io.millrace.websocket.WebSocketHandshakeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.ContainerProvider;
import javax.websocket.DeploymentException;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.Session;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client endpoint that is redirected or uses a proxy … */
@Timeout(60)
final class ClientRoutesTest {

    private static final String PREFIX = "org.apache.tomcat.websocket.";
    private final @Nullable ProxySelector before = ProxySelector.getDefault();

    /** Does nothing. */
    private static final class Quiet extends Endpoint {

        @Override
        public void onOpen(Session session, EndpointConfig config) {}
    }

    /** Responds with a status and a Location, both from the query, by default its own; requests are recorded. */
    private static final class Elsewhere extends HttpServlet {

        private static final long serialVersionUID = 1L;
        static final Queue<String> ASKED = new ConcurrentLinkedQueue<>();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            ASKED.add(request.getQueryString() + " " + request.getHeader("Authorization"));
            response.setStatus(Integer.parseInt(request.getParameter("status")));
            String to = request.getParameter("to");
            response.setHeader("Location", to == null ? "?" + request.getQueryString() : to);
            response.setHeader("WWW-Authenticate", "Basic realm=\"here\"");
        }
    }

    private static EndpointServer server() throws IOException {
        Elsewhere.ASKED.clear();
        return EndpointServer.of(
                container -> container.addEndpoint(ClientLoginTest.Echo.class),
                app -> app.servlet("elsewhere", new Elsewhere(), "/elsewhere"));
    }

    private static ClientEndpointConfig config(Object... properties) {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        for (int i = 0; i < properties.length; i += 2) {
            config.getUserProperties().put(PREFIX + properties[i], properties[i + 1]);
        }
        return config;
    }

    private static Session connect(URI uri, ClientEndpointConfig config) throws Exception {
        return ContainerProvider.getWebSocketContainer().connectToServer(new Quiet(), config, uri);
    }

    private static WebSocketHandshakeException refusal(URI uri, ClientEndpointConfig config) {
        DeploymentException refused = assertThrows(DeploymentException.class, () -> connect(uri, config));
        return assertInstanceOf(WebSocketHandshakeException.class, refused.getCause());
    }

    /** Selects a proxy for connections to one port, and none for other connections of the process. */
    private void proxy(TestProxy proxy, int port) {
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return uri.getPort() == port && uri.getScheme().equals("http")
                        ? List.of(new Proxy(Proxy.Type.HTTP, proxy.address()))
                        : List.of(Proxy.NO_PROXY);
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
    }

    @AfterEach
    void restore() {
        ProxySelector.setDefault(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void followsARedirect(int status) throws Exception {
        try (EndpointServer server = server();
                Session session = connect(server.uri("ws", "/elsewhere?to=echo&status=" + status), config())) {
            assertTrue(session.isOpen());
        }
    }

    @Test
    void followsARedirectToAnAddressOfHttp() throws Exception {
        try (EndpointServer server = server();
                EndpointServer other = server();
                Session session =
                        connect(server.uri("ws", "/elsewhere?status=302&to=" + other.uri("http", "/echo")), config())) {
            assertTrue(session.isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 304, 305, 399})
    void followsNoOtherStatus(int status) throws Exception {
        try (EndpointServer server = server()) {
            URI uri = server.uri("ws", "/elsewhere?to=echo&status=" + status);
            assertEquals(status, refusal(uri, config()).status());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void followsAsManyRedirectsAsItMay(int most) throws Exception {
        try (EndpointServer server = server()) {
            URI circle = server.uri("ws", "/elsewhere?status=302");
            assertEquals(302, refusal(circle, config("MAX_REDIRECTIONS", most)).status());
            assertEquals(most + 1, Elsewhere.ASKED.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "many", "1.5", "3000000000"})
    void refusesANumberOfRedirectsThatIsNone(String number) throws Exception {
        try (EndpointServer server = server()) {
            DeploymentException wrong = assertThrows(
                    DeploymentException.class,
                    () -> connect(server.uri("ws", "/echo"), config("MAX_REDIRECTIONS", number)));
            assertTrue(String.valueOf(wrong.getMessage()).contains("MAX_REDIRECTIONS is " + number), wrong::toString);
        }
    }

    @Test
    void keepsItsPasswordFromTheServerThatItIsSentTo() throws Exception {
        try (EndpointServer server = server();
                EndpointServer other = server()) {
            ClientEndpointConfig login =
                    config("WS_AUTHENTICATION_USER_NAME", "ann", "WS_AUTHENTICATION_PASSWORD", "secret");
            assertEquals(
                    401,
                    refusal(server.uri("ws", "/elsewhere?status=401"), login).status());
            assertEquals(List.of("status=401 null", "status=401 Basic YW5uOnNlY3JldA=="), List.copyOf(Elsewhere.ASKED));
            Elsewhere.ASKED.clear();
            URI there = other.uri("http", "/elsewhere?status=401");
            URI uri = server.uri("ws", "/elsewhere?status=302&to=" + there);
            assertEquals(401, refusal(uri, login).status());
            assertEquals(List.of(uri.getRawQuery() + " null", "status=401 null"), List.copyOf(Elsewhere.ASKED));
        }
    }

    @Test
    void connectsThroughTheProxyOfTheProcess() throws Exception {
        try (EndpointServer server = server();
                TestProxy proxy = TestProxy.open()) {
            proxy(proxy, server.port());
            URI uri = server.uri("ws", "/elsewhere?status=302&to=echo");
            try (Session session = connect(uri, config())) {
                assertTrue(session.isOpen());
                assertEquals(2, proxy.requests().size());
            }
        }
    }

    @Test
    void saysWhichProxyIsNotThere() throws Exception {
        TestProxy proxy = TestProxy.open();
        InetSocketAddress address = proxy.address();
        proxy.close();
        ProxySelector.setDefault(ProxySelector.of(address));
        DeploymentException failed =
                assertThrows(DeploymentException.class, () -> connect(URI.create("ws://nowhere.test/"), config()));
        assertTrue(String.valueOf(failed.getMessage()).contains(":" + address.getPort()), failed::toString);
    }

    /** Returns these proxies, and records the failed ones. */
    private static final class Several extends ProxySelector {

        private final List<Proxy> all;
        private final Queue<SocketAddress> failed = new ConcurrentLinkedQueue<>();

        Several(Proxy... all) {
            this.all = List.of(all);
        }

        @Override
        public List<Proxy> select(URI uri) {
            return all;
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            failed.add(address);
        }
    }

    private static InetSocketAddress nobody() throws IOException {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) closed.getLocalSocketAddress();
        }
    }

    @Test
    void takesTheNextProxyIfOneCannotBeReached() throws Exception {
        InetSocketAddress gone = nobody();
        try (EndpointServer server = server();
                ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                TestProxy proxy = TestProxy.answering(request -> null)) {
            Several selector = new Several(
                    new Proxy(Proxy.Type.HTTP, gone),
                    new Proxy(Proxy.Type.SOCKS, gone),
                    new Proxy(Proxy.Type.HTTP, silent.getLocalSocketAddress()),
                    new Proxy(Proxy.Type.HTTP, proxy.address()));
            ProxySelector.setDefault(selector);
            try (Session session = connect(server.uri("ws", "/echo"), config("IO_TIMEOUT_MS", "10000"))) {
                assertTrue(session.isOpen());
            }
            assertEquals(1, proxy.requests().size());
            assertEquals(List.of(gone, silent.getLocalSocketAddress()), List.copyOf(selector.failed));
        }
    }

    @Test
    void goesDirectlyWhereTheSelectorSaysSoAndNotElse() throws Exception {
        InetSocketAddress gone = nobody();
        try (EndpointServer server = server()) {
            Proxy dead = new Proxy(Proxy.Type.HTTP, gone);
            ProxySelector.setDefault(new Several(dead, dead, Proxy.NO_PROXY));
            try (Session session = connect(server.uri("ws", "/echo"), config())) {
                assertTrue(session.isOpen());
            }
            Several selector = new Several(dead, dead);
            ProxySelector.setDefault(selector);
            assertThrows(DeploymentException.class, () -> connect(server.uri("ws", "/echo"), config()));
            assertEquals(List.of(gone, gone), List.copyOf(selector.failed));
        }
    }

    @Test
    void takesNoOtherProxyThanOneThatRefuses() throws Exception {
        try (EndpointServer server = server();
                TestProxy proxy = TestProxy.answering(request -> "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")) {
            Several selector = new Several(new Proxy(Proxy.Type.HTTP, proxy.address()), Proxy.NO_PROXY);
            ProxySelector.setDefault(selector);
            assertEquals(403, refusal(server.uri("ws", "/echo"), config()).status());
            assertEquals(List.of(), List.copyOf(selector.failed));
        }
    }

    private static String demand(String challenge) {
        return "HTTP/1.1 407 Who\r\nProxy-Authenticate: " + challenge + "\r\nContent-Length: 0\r\n\r\n";
    }

    private static ClientEndpointConfig login(String password) {
        return config("WS_PROXY_AUTHENTICATION_USER_NAME", "ann", "WS_PROXY_AUTHENTICATION_PASSWORD", password);
    }

    @Test
    void provesItselfToAProxyByBasic() throws Exception {
        try (EndpointServer server = server();
                TestProxy proxy =
                        TestProxy.answering(request -> request.contains("Proxy-Authorization: Basic YW5uOnNlY3JldA==")
                                ? null
                                : demand("Basic realm=\"p\""))) {
            proxy(proxy, server.port());
            URI uri = server.uri("ws", "/elsewhere?status=302&to=echo");
            try (Session session = connect(uri, login("secret"))) {
                assertTrue(session.isOpen());
            }
            assertTrue(Elsewhere.ASKED.peek().endsWith(" null"), "the server got no password");
            proxy.requests().clear();
            assertEquals(407, refusal(uri, login("guess")).status());
            assertEquals(2, proxy.requests().size());
            assertEquals(407, refusal(uri, config()).status());
            assertEquals(3, proxy.requests().size());
        }
    }

    @Test
    void provesItselfToAProxyByDigest() throws Exception {
        try (EndpointServer server = server();
                TestProxy proxy = TestProxy.answering(request ->
                        isProved(request) ? null : demand("Digest realm=\"p\", nonce=\"n\", qop=\"auth\""))) {
            proxy(proxy, server.port());
            try (Session session = connect(server.uri("ws", "/echo"), login("secret"))) {
                assertTrue(session.isOpen());
            }
            assertEquals(407, refusal(server.uri("ws", "/echo"), login("guess")).status());
        }
    }

    /** RFC 7616, 3.4.1, with MD5. */
    private static boolean isProved(String request) {
        Matcher given = Pattern.compile("uri=\"([^\"]*)\".*cnonce=\"([^\"]*)\".*response=\"([^\"]*)\"")
                .matcher(request);
        if (!given.find()) {
            return false;
        }
        String method = request.substring(0, request.indexOf(' '));
        String answer = md5(
                md5("ann:p:secret") + ":n:00000001:" + given.group(2) + ":auth:" + md5(method + ":" + given.group(1)));
        return request.startsWith("CONNECT " + given.group(1) + " ") && answer.equals(given.group(3));
    }

    private static String md5(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void answersTheProxyAndThenTheServer() throws Exception {
        try (EndpointServer server = server();
                TestProxy proxy = TestProxy.answering(
                        request -> request.contains("Proxy-Authorization") ? null : demand("Basic realm=\"p\""))) {
            proxy(proxy, server.port());
            ClientEndpointConfig both = login("secret");
            both.getUserProperties().put(PREFIX + "WS_AUTHENTICATION_USER_NAME", "bob");
            both.getUserProperties().put(PREFIX + "WS_AUTHENTICATION_PASSWORD", "other");
            assertEquals(
                    401,
                    refusal(server.uri("ws", "/elsewhere?status=401"), both).status());
            assertEquals(List.of("status=401 null", "status=401 Basic Ym9iOm90aGVy"), List.copyOf(Elsewhere.ASKED));
            assertEquals(4, proxy.requests().size());
        }
    }

    @Test
    void followsNoRedirectOfAProxy() throws Exception {
        try (EndpointServer server = server();
                TestProxy proxy = TestProxy.answering(
                        request -> "HTTP/1.1 302 Found\r\nLocation: " + server.uri("http", "/echo") + "\r\n\r\n")) {
            proxy(proxy, server.port());
            assertEquals(
                    302, refusal(server.uri("ws", "/echo"), login("secret")).status());
            assertEquals(1, proxy.requests().size());
        }
    }
}
