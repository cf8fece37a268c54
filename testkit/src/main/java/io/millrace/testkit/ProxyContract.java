package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.ServerContext;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.TransportProvider;
import io.millrace.proxy.BackendState;
import io.millrace.proxy.BackendStatus;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy, on a transport, with a client and a backend that are sockets of the test. It … */
@Timeout(120)
public abstract class ProxyContract {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String GET = "GET /a?b HTTP/1.1\r\nHost: shop\r\n\r\n";

    private final List<AutoCloseable> open = new ArrayList<>();
    private @Nullable ServerSocket backend;

    /** The transport. */
    protected abstract TransportProvider provider();

    @BeforeEach
    void listen() throws IOException {
        backend = listening();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private ServerSocket listening() throws IOException {
        return opened(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    private ServerSocket backend() {
        if (backend == null) {
            throw new IllegalStateException("no test is running");
        }
        return backend;
    }

    private static String uri(int port) {
        return "http://127.0.0.1:" + port;
    }

    private Server start(Application proxy) throws IOException {
        return start(server().application(proxy));
    }

    private Server start(HttpHandler handler) throws IOException {
        return start(server().handler(handler));
    }

    private ServerBuilder server() {
        Connector connector = Connector.builder()
                .transport(provider().name())
                .address("127.0.0.1")
                .port(0)
                .build();
        return Server.builder().transport(provider()).connector(connector);
    }

    private Server start(ServerBuilder builder) throws IOException {
        Server server = builder.start();
        open.add(() -> server.stop(Duration.ZERO));
        return server;
    }

    /** A client of a proxy to the test's backend, by one connection at a time. */
    private Peer client() throws IOException {
        return client(start(ProxyApplication.to(uri(backend().getLocalPort())).with(ProxyOptions.MAX_CONNECTIONS, 1)));
    }

    private Peer client(Server server) throws IOException {
        return opened(new Peer(new Socket(InetAddress.getLoopbackAddress(), server.port())));
    }

    private Peer accept() throws IOException {
        return opened(new Peer(backend().accept()));
    }

    /** One end of a connection. */
    private record Peer(Socket socket) implements AutoCloseable {

        Peer send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        }

        /** Up to and with this text. */
        String receive(String end) throws IOException {
            StringBuilder text = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (text.indexOf(end) < 0) {
                int octet = in.read();
                if (octet < 0) {
                    throw new IOException("the end came after " + text);
                }
                text.append((char) octet);
            }
            return text.toString();
        }

        String head() throws IOException {
            return receive("\r\n\r\n");
        }

        /** All up to the end, or a reset. */
        String rest() {
            StringBuilder text = new StringBuilder();
            try {
                for (int octet = socket.getInputStream().read();
                        octet >= 0;
                        octet = socket.getInputStream().read()) {
                    text.append((char) octet);
                }
            } catch (IOException reset) {
                text.append("RESET");
            }
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    private static void assertStatus(int status, String response) {
        assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
    }

    @Test
    void passesRequestsAndResponsesOnKeptConnections() throws Exception {
        Peer client = client();
        client.send(GET);
        Peer server = accept();
        for (int i = 0; i < 3; i++) {
            String request = server.head();
            assertTrue(request.startsWith("GET /a?b HTTP/1.1\r\nHost: shop\r\n"), request);
            server.send(OK);
            assertStatus(200, client.receive("\r\n\r\nok"));
            client.send(GET);
        }
    }

    @Test
    void buildsRequestsAnew() throws Exception {
        Peer client = client();
        client.send(lines(
                "GET / HTTP/1.1",
                "Host: shop",
                "Connection: close, X-Drop, Cookie",
                "X-Drop: 1",
                "Keep-Alive: 5",
                "Proxy-Authorization: Basic x",
                "TE: gzip, trailers",
                "Trailer: X",
                "Upgrade: h2c",
                "HTTP2-Settings: x",
                "X-Forwarded-For: 6.6.6.6",
                "X_Forwarded_For: 6.6.6.6",
                "X-Forwarded-Prefix: /6",
                "Forwarded: for=6.6.6.6",
                "Cookie: a=1",
                "X-Keep: 2"));
        Peer server = accept();
        int port = client.socket().getPort();
        assertEquals(
                "GET / HTTP/1.1\r\nHost: shop\r\nX-Keep: 2\r\nCookie: a=1\r\nX-Forwarded-For: 127.0.0.1\r\n"
                        + "X-Forwarded-Proto: http\r\nX-Forwarded-Host: shop\r\nX-Forwarded-Port: " + port
                        + "\r\nTE: trailers\r\n\r\n",
                server.head());
        server.send("HTTP/1.1 200 Fine\r\nConnection: X-Own\r\nX-Own: 1\r\nKeep-Alive: timeout=5\r\nDate: now\r\n"
                + "Location: http://127.0.0.1:" + backend().getLocalPort()
                + "/next?a\r\nSet-Cookie: s=1; Domain=127.0.0.1; Path=/\r\n"
                + "X-Two: 1\r\nX-Two: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        assertEquals(
                "HTTP/1.1 200 OK\r\nDate: now\r\nLocation: /next?a\r\nSet-Cookie: s=1; Path=/\r\nX-Two: 1\r\nX-Two: 2\r\n"
                        + "Content-Length: 3\r\nConnection: close\r\n\r\nabc",
                client.rest());
    }

    /** Whatever its body is: a length, chunks, nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "GET", "POST"})
    void passesAResponseThatDrips(String method) throws Exception {
        Peer client = client();
        client.send(method + " / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        Peer server = accept();
        server.head();
        String response =
                "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 5\r\n\r\n" + (method.equals("HEAD") ? "" : "hello");
        for (int i = 0; i < response.length(); i++) {
            server.send(response.substring(i, i + 1));
        }
        assertEquals(response.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), client.rest());
    }

    @Test
    void answersForABackendThatBreaksOffAndCutsWhatHasBegun() throws Exception {
        Server proxy = start(ProxyApplication.to(uri(backend().getLocalPort())));
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        for (int cut = 1; cut < response.length(); cut++) {
            Peer client = client(proxy);
            client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try (Peer server = accept()) {
                server.head();
                server.send(response.substring(0, cut));
            }
            String seen = client.rest();
            boolean headCame = cut >= response.indexOf("hello");
            assertTrue(headCame || seen.startsWith("HTTP/1.1 50"), cut + ": " + seen);
            assertFalse(seen.endsWith("hello"), seen);
            client.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK~Content-Length: 3~Content-Length: 4~~abcd, 502",
        "HTTP/1.1 200 OK~Content-Length: 3~Transfer-Encoding: chunked~~0~~, 502",
        "HTTP/1.1 200 OK~X : 1~~, 502",
        "HTTP/1.1 101 Switching Protocols~Upgrade: x~Connection: Upgrade~~, 502",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~xyz~, 502",
        "nonsense~, 502"
    })
    void refusesAMalformedResponse(String response, int status) throws Exception {
        Peer client = client();
        client.send(GET);
        Peer server = accept();
        server.head();
        server.send(response.replace("~", "\r\n"));
        assertStatus(status, client.head());
        assertEquals("", server.rest());
    }

    @Test
    void answersForABackendThatIsSilentOrNotThere() throws Exception {
        Server silent = start(ProxyApplication.to(uri(backend().getLocalPort()))
                .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(100)));
        Peer client = client(silent);
        client.send(GET);
        accept().head();
        assertStatus(504, client.head());
        int port = backend().getLocalPort();
        backend().close();
        assertStatus(
                502, client(start(ProxyApplication.to(uri(port)))).send(GET).head());
    }

    @Test
    void answersForABackendWhoseConnectionsAreAllInUse() throws Exception {
        Server proxy = start(ProxyApplication.to(uri(backend().getLocalPort()))
                .with(ProxyOptions.MAX_CONNECTIONS, 1)
                .with(ProxyOptions.MAX_WAITING, 0)
                .with(ProxyOptions.RETRIES, 0));
        client(proxy).send(GET);
        accept().head();
        String refused = client(proxy).send(GET).head();
        assertStatus(503, refused);
        assertTrue(refused.contains("Retry-After: 1"), refused);
    }

    @Test
    void triesAnotherBackendWhereNothingWasSent() throws Exception {
        ServerSocket dead = listening();
        dead.close();
        Server proxy = start(
                ProxyApplication.to(uri(dead.getLocalPort()), uri(backend().getLocalPort()))
                        .with(ProxyOptions.MAX_CONNECTIONS, 1));
        Peer client = client(proxy);
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
        Peer server = accept();
        for (int i = 0; i < 8; i++) {
            server.receive("\r\n\r\nabc");
            server.send(OK);
            assertStatus(200, client.receive("\r\n\r\nok"));
            client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
        }
    }

    @Test
    void repeatsOnlyWhatIsIdempotentWhenAKeptConnectionEnds() throws Exception {
        Peer client = client();
        client.send(GET);
        Peer first = accept();
        first.head();
        first.send(OK);
        client.receive("\r\n\r\nok");
        client.send(GET);
        first.head();
        first.close();
        Peer second = accept();
        second.head();
        second.send(OK);
        assertStatus(200, client.receive("\r\n\r\nok"));
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n");
        second.head();
        second.close();
        assertStatus(502, client.head());
    }

    /** The session's backend is asked first, and fails in a way that only an operator may call harmless. */
    @ParameterizedTest
    @CsvSource({
        "503, 503, HTTP/1.1 503 Service Unavailable~Content-Length: 4~~busy",
        "'404, 500', 500, HTTP/1.1 500 Internal Server Error~~no end yet",
        "malformed, 502, NONSENSE~~",
        "timeout, 504, ''"
    })
    void repeatsElsewhereWhatTheOperatorNames(String retryOn, int status, String lines) throws Exception {
        String answer = lines.replace("~", "\r\n");
        ServerSocket bad = listening();
        String[] addresses = {
            uri(bad.getLocalPort()) + "?route=bad", uri(backend().getLocalPort())
        };
        Server proxy = start(ProxyApplication.to(addresses)
                .with(ProxyOptions.STICKY, "id")
                .with(ProxyOptions.RETRY_ON, Set.of(retryOn.split(", ")))
                .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(500)));
        String get = "GET / HTTP/1.1\r\nHost: shop\r\nCookie: id=1.bad\r\n\r\n";
        Peer repeated = client(proxy).send(get);
        Peer first = opened(new Peer(bad.accept()));
        first.head();
        first.send(answer);
        Peer second = accept();
        assertTrue(second.head().startsWith("GET / "));
        second.send(OK);
        assertStatus(200, repeated.receive("\r\n\r\nok"));
        Peer post = client(proxy).send(get.replace("GET", "POST"));
        Peer asked = status == 503 ? first : opened(new Peer(bad.accept())); // whose response was whole
        asked.head();
        asked.send(answer);
        assertStatus(status, post.head());
        Server alone = start(ProxyApplication.to(addresses[0])
                .with(ProxyOptions.RETRY_ON, Set.of(retryOn.split(", ")))
                .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(500)));
        Peer client = client(alone).send(get);
        Peer only = opened(new Peer(bad.accept()));
        only.head();
        only.send(answer);
        assertStatus(status, client.head());
    }

    /** A backend is killed under load: clients of the others' requests, and of its own, see nothing of it. */
    @Test
    void losesNoIdempotentRequestWhenABackendIsKilled() throws Exception {
        Process child = BackendMain.start("child");
        open.add(child::destroyForcibly);
        int port;
        try (BufferedReader out = child.inputReader(StandardCharsets.US_ASCII)) {
            port = Integer.parseInt(String.valueOf(out.readLine()));
            ServerSocket other = listening();
            new Thread(() -> BackendMain.serve(backend(), "first"), "first").start();
            new Thread(() -> BackendMain.serve(other, "other"), "other").start();
            Server proxy =
                    start(ProxyApplication.to(uri(backend().getLocalPort()), uri(other.getLocalPort()), uri(port)));
            Load load = new Load(16, () -> new Peer(new Socket(InetAddress.getLoopbackAddress(), proxy.port())));
            Deadline.await("the backend to be busy", () -> load.answers("child") > 200 || load.hasFailed());
            child.destroyForcibly().waitFor();
            int before = load.answers("other");
            Deadline.await("requests after its end", () -> load.answers("other") > before + 500 || load.hasFailed());
            assertEquals(List.of(), load.end());
        }
    }

    /** Clients that send requests one after the other, on kept connections. */
    private static final class Load {

        private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
        private final List<String> failures = new CopyOnWriteArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ended;

        Load(int clients, Callable<Peer> client) {
            for (int i = 0; i < clients; i++) {
                Thread thread = new Thread(() -> send(client), "client " + i);
                threads.add(thread);
                thread.start();
            }
        }

        private void send(Callable<Peer> connect) {
            try {
                while (!ended && failures.isEmpty()) {
                    try (Peer peer = connect.call()) {
                        sendBy(peer);
                    }
                }
            } catch (Exception broken) {
                failures.add(broken.toString());
            }
        }

        /** Until the proxy ends the connection, as it does after a number of requests. */
        private void sendBy(Peer peer) throws IOException {
            String head = "";
            while (!ended && !head.contains("Connection: close")) {
                head = peer.send(GET).head();
                if (!head.startsWith("HTTP/1.1 200 ")) {
                    failures.add(head);
                    return;
                }
                String word = new String(peer.socket().getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
                answers.computeIfAbsent(word, any -> new AtomicInteger()).incrementAndGet();
            }
        }

        int answers(String word) {
            AtomicInteger known = answers.get(word);
            return known == null ? 0 : known.get();
        }

        boolean hasFailed() {
            return !failures.isEmpty();
        }

        List<String> end() throws InterruptedException {
            ended = true;
            for (Thread thread : threads) {
                thread.join();
            }
            return failures;
        }
    }

    @Test
    void keepsASessionWithItsBackend() throws Exception {
        ServerSocket other = listening();
        Server proxy = start(ProxyApplication.to(
                        uri(other.getLocalPort()) + "?route=one", uri(backend().getLocalPort()) + "?route=two&weight=1")
                .with(ProxyOptions.STICKY, "JSESSIONID"));
        for (int i = 0; i < 5; i++) {
            Peer client = client(proxy);
            client.send(
                    i % 2 == 0
                            ? "GET / HTTP/1.1\r\nHost: shop\r\nCookie: a=b; JSESSIONID=123.two\r\nConnection: close\r\n\r\n"
                            : "GET /a;jsessionid=123.two HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
            Peer server = accept();
            server.head();
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            assertStatus(200, client.rest());
        }
    }

    @Test
    void asksForABodyWhenTheBackendDoes() throws Exception {
        Peer client = client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        Peer server = accept();
        assertTrue(server.head().contains("Expect: 100-continue"));
        server.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
        assertEquals("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", client.head());
        server.send("HTTP/1.1 100 Continue\r\n\r\n");
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", client.head());
        client.send("abc");
        assertEquals("abc", server.receive("abc"));
        server.send(OK);
        assertStatus(200, client.receive("\r\n\r\nok"));
    }

    @Test
    void neverAsksForABodyThatTheBackendDoesNotWant() throws Exception {
        Peer client = client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        Peer server = accept();
        server.head();
        server.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        assertStatus(403, client.head());
        assertEquals("", server.rest());
    }

    @Test
    void passesAResponseThatComesBeforeTheWholeRequest() throws Exception {
        Peer client = client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        Peer server = accept();
        server.receive("3\r\nabc\r\n");
        server.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
        assertStatus(413, client.receive("\r\n\r\nno"));
        assertEquals("", server.rest());
    }

    @Test
    void passesTrailersBothWays() throws Exception {
        Peer client = client();
        client.send(
                "POST / HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n");
        Peer server = accept();
        assertTrue(server.receive("X-Sum: 6\r\n\r\n").endsWith("3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n"));
        server.send(
                "HTTP/1.1 200 OK\r\nTrailer: X-Out\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Out: 7\r\n\r\n");
        assertTrue(client.receive("X-Out: 7\r\n\r\n").endsWith("0\r\nX-Out: 7\r\n\r\n"));
    }

    @Test
    void tunnelsAWebSocketAndEachDirectionEndsByItself() throws Exception {
        Peer client = client();
        client.send(lines(
                "GET /chat HTTP/1.1",
                "Host: shop",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13"));
        Peer server = accept();
        String request = server.head();
        assertTrue(request.contains("Connection: Upgrade\r\nUpgrade: websocket\r\n"), request);
        assertTrue(request.contains("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), request);
        server.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLBMxbaQ9kYGzzhZRbK+xOo=\r\n\r\nfirst");
        String answer = client.receive("first");
        assertTrue(answer.contains("Sec-WebSocket-Accept: s3pPLBMxbaQ9kYGzzhZRbK+xOo=\r\n"), answer);
        for (int i = 0; i < 10; i++) {
            client.send("ping" + i);
            server.receive("ping" + i);
            server.send("pong" + i);
            client.receive("pong" + i);
        }
        client.socket().shutdownOutput();
        assertEquals("", server.rest());
        server.send("last").close();
        assertEquals("last", client.rest());
    }

    @Test
    void givesTheBackendUpWhenTheClientGoes() throws Exception {
        Peer client = client();
        client.send(GET);
        Peer server = accept();
        server.head();
        client.socket().setSoLinger(true, 0);
        client.close();
        assertEquals("", server.rest().replace("RESET", ""));
    }

    @Test
    void givesUpThePlaceInTheLineOfAClientThatGoes() throws Exception {
        ProxyApplication proxy = ProxyApplication.to(uri(backend().getLocalPort()))
                .with(ProxyOptions.MAX_CONNECTIONS, 1)
                .with(ProxyOptions.MAX_WAITING, 1);
        Server server = start(proxy);
        Peer first = client(server).send(GET);
        Peer backend = accept();
        backend.head();
        Peer second = client(server).send(GET);
        Deadline.await("a request to wait", () -> status(proxy).waiting() == 1);
        second.socket().setSoLinger(true, 0);
        second.close();
        Deadline.await("its place to be free", () -> status(proxy).waiting() == 0);
        Peer third = client(server).send(GET);
        Deadline.await("the next to wait", () -> status(proxy).waiting() == 1);
        backend.send(OK);
        assertStatus(200, first.receive("\r\n\r\nok"));
        backend.head();
        backend.send(OK);
        assertStatus(200, third.receive("\r\n\r\nok"));
    }

    /** Of the first backend. */
    private static BackendStatus status(ProxyApplication proxy) {
        return proxy.status().get(0);
    }

    @Test
    void asksBackendsForTheirHealth() throws Exception {
        AtomicInteger answer = new AtomicInteger(503);
        Server checked = start((NonBlockingHandler) exchange -> {
            boolean asked = exchange.request().path().raw().equals("/health")
                    && "GET".equals(exchange.request().method());
            exchange.response().status(asked ? answer.get() : 404).contentLength(0);
            exchange.output().write(Payload.NOTHING, true, Completion.IGNORE);
        });
        ProxyApplication proxy = ProxyApplication.to(
                        uri(checked.port()), uri(backend().getLocalPort()))
                .with(ProxyOptions.HEALTH_PATH, "/health?now")
                .with(ProxyOptions.HEALTH_INTERVAL, Duration.ofMillis(100));
        Server server = start(proxy);
        Deadline.await("503 to be noticed", () -> status(proxy).state() == BackendState.DOWN);
        Deadline.await("silence to be noticed", () -> proxy.status().get(1).state() == BackendState.DOWN);
        answer.set(302);
        Deadline.await("302 to be noticed", () -> status(proxy).state() == BackendState.UP);
        checked.stop(Duration.ZERO);
        Deadline.await("that nobody listens to be noticed", () -> status(proxy).state() == BackendState.DOWN);
        server.stop(Duration.ZERO);
        assertEquals(List.of(), proxy.status());
    }

    @Test
    void drainsABackend() throws Exception {
        ServerSocket other = listening();
        new Thread(() -> BackendMain.serve(backend(), "first"), "first").start();
        new Thread(() -> BackendMain.serve(other, "other"), "other").start();
        String first = uri(backend().getLocalPort());
        ProxyApplication proxy = ProxyApplication.to(first + "?route=one", uri(other.getLocalPort()))
                .with(ProxyOptions.STICKY, "S");
        Server server = start(proxy);
        proxy.drain(first);
        assertEquals(BackendState.DRAINING, status(proxy).state());
        Peer client = client(server);
        for (int i = 0; i < 10; i++) {
            client.send(GET).receive("\r\n\r\nother");
        }
        client.send(GET.replace("shop", "shop\r\nCookie: S=1.one")).receive("\r\n\r\nfirst");
        proxy.drain(uri(other.getLocalPort()));
        assertStatus(503, client(server).send(GET).head());
        proxy.resume(first);
        client(server).send(GET).receive("\r\n\r\nfirst");
        assertThrows(IllegalArgumentException.class, () -> proxy.drain("http://127.0.0.1"));
    }

    /** Two requests of one client, and neither connection is for anybody else. */
    @Test
    void tellsBackendsOfTheClientByAConnectionOfItsOwn() throws Exception {
        Server proxy =
                start(ProxyApplication.to(uri(backend().getLocalPort())).with(ProxyOptions.PROXY_PROTOCOL, "v2"));
        Peer client = client(proxy);
        for (int i = 0; i < 2; i++) {
            client.send(GET);
            Peer server = accept();
            assertEquals(
                    "0d0a0d0a000d0a515549540a2111000c7f0000017f000001%04x%04x"
                            .formatted(client.socket().getLocalPort(), proxy.port()),
                    HexFormat.of().formatHex(server.socket().getInputStream().readNBytes(28)));
            assertTrue(server.head().startsWith("GET /a?b HTTP/1.1"));
            server.send(OK);
            assertStatus(200, client.receive("\r\n\r\nok"));
            assertEquals("", server.rest());
        }
    }

    /** An exchange that is left suspended would never end, nor would its place in the pool be given back. */
    @ParameterizedTest
    @ValueSource(strings = {"body", "first write", "second write"})
    void endsARequestWhateverIsThrown(String where) throws Exception {
        for (Throwable thrown : List.of(new OutOfMemoryError("test"), new IllegalStateException("test"))) {
            ProxyApplication proxy =
                    ProxyApplication.to(uri(backend().getLocalPort())).with(ProxyOptions.MAX_CONNECTIONS, 1);
            Server server = start(new FaultyProxy(proxy, where, thrown));
            Peer client = client(server)
                    .send("POST /faulty HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
            try (Peer backend = accept()) {
                if (!where.equals("body")) {
                    backend.receive("\r\n\r\nabc");
                    backend.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
                    if (where.equals("second write")) {
                        client.head();
                    }
                    backend.send("hello");
                }
                String seen = client.rest();
                assertFalse(seen.endsWith("hello"), seen);
                if (where.equals("body")) {
                    backend.rest(); // it is given up
                }
            }
            Peer next = client(server).send(GET);
            Peer backend = accept();
            backend.head();
            backend.send(OK);
            assertStatus(200, next.receive("\r\n\r\nok"));
        }
    }

    /** Fails with requests to one path, in what it hands to the proxy. */
    private record FaultyProxy(ProxyApplication proxy, String where, Throwable thrown) implements Application {

        @Override
        public String contextPath() {
            return "";
        }

        @Override
        public HttpHandler start(ServerContext server) throws IOException {
            HttpHandler sound = proxy.start(server);
            return (NonBlockingHandler) exchange -> {
                if (exchange.request().path().raw().equals("/faulty")) {
                    spoil(exchange);
                }
                sound.handle(exchange);
            };
        }

        private void spoil(HttpExchange exchange) {
            AtomicInteger left = new AtomicInteger(where.equals("second write") ? 1 : 0);
            if (where.equals("body")) {
                exchange.present(exchange.request(), exchange.channel().info(), new BodySource() {
                    @Override
                    public Chunk read() {
                        throw unchecked();
                    }

                    @Override
                    public void awaitReadable(Runnable ready) {
                        throw unchecked();
                    }
                });
            } else {
                exchange.output().wrap(sink -> (piece, last, completion) -> {
                    if (left.getAndDecrement() == 0) {
                        throw unchecked();
                    }
                    sink.write(piece, last, completion);
                });
            }
        }

        private RuntimeException unchecked() {
            if (thrown instanceof Error error) {
                throw error;
            }
            return (RuntimeException) thrown;
        }

        @Override
        public void stop() {
            proxy.stop();
        }
    }

    /** Or else whoever aborts requests would lead all the others to the backend that they were for. */
    @Test
    void countsARequestThatItsClientAbortsOnce() throws Exception {
        ServerSocket other = listening();
        Server proxy = start(ProxyApplication.to(
                        uri(other.getLocalPort()) + "?route=one", uri(backend().getLocalPort()) + "?route=two")
                .with(ProxyOptions.STICKY, "S"));
        for (int i = 0; i < 8; i++) {
            Peer client = client(proxy);
            client.send("GET / HTTP/1.1\r\nHost: shop\r\nCookie: S=1.two\r\n\r\n");
            Peer server = accept();
            server.head();
            client.socket().setSoLinger(true, 0);
            client.close();
            server.rest();
        }
        client(proxy).send(GET.replace("shop", "shop\r\nCookie: S=1.two"));
        accept().head();
        client(proxy).send(GET); // the busy one would have it, if the aborted requests were counted twice
        other.setSoTimeout(30_000);
        opened(new Peer(other.accept())).head();
    }

    @ParameterizedTest
    @CsvSource({
        "GET /a/../b HTTP/1.1, 400",
        "GET /a/%2e%2E/b HTTP/1.1, 400",
        "GET /a/..;x=y/b HTTP/1.1, 400",
        "TRACE / HTTP/1.1, 405"
    })
    void passesNothingThatABackendCouldReadInAnotherWay(String line, int status) throws Exception {
        assertStatus(status, client().send(line + "\r\nHost: shop\r\n\r\n").head());
    }

    /** Large bodies both ways, by clients and a backend that are slower than each other in turn. */
    @Test
    void passesLargeBodiesUnchanged() throws Exception {
        Server echo = start((NonBlockingHandler) ProxyContract::echo);
        Server proxy = start(ProxyApplication.to(uri(echo.port())));
        byte[] body = new byte[3_000_000];
        new Random(1).nextBytes(body);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
            Thread sender = new Thread(() -> send(socket, body));
            sender.start();
            Peer peer = new Peer(socket);
            assertStatus(200, peer.head());
            assertTrue(java.util.Arrays.equals(body, socket.getInputStream().readNBytes(body.length)));
            sender.join();
        }
    }

    private static void send(Socket socket, byte[] body) {
        try {
            String head = "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: " + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(body);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static void echo(HttpExchange exchange) {
        exchange.response().contentLength(exchange.request().contentLength());
        var held = exchange.suspend(Duration.ZERO, expired -> {});
        copy(exchange, exchange.input(), held::complete);
    }

    private static void copy(HttpExchange exchange, BodySource from, Runnable end) {
        try {
            Chunk chunk = from.read();
            if (chunk == null) {
                from.awaitReadable(() -> copy(exchange, from, end));
            } else if (chunk.isEnd()) {
                exchange.output().write(Payload.NOTHING, true, failure -> end.run());
            } else {
                exchange.output().write(Payload.of(chunk.bytes()), false, failure -> {
                    chunk.release();
                    copy(exchange, from, end);
                });
            }
        } catch (IOException broken) {
            exchange.abort(broken);
        }
    }
}
