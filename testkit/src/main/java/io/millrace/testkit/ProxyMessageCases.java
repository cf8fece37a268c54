package io.millrace.testkit;

import static io.millrace.testkit.ProxyHarness.GET;
import static io.millrace.testkit.ProxyHarness.OK;
import static io.millrace.testkit.ProxyHarness.UPGRADE;
import static io.millrace.testkit.ProxyHarness.assertStatus;
import static io.millrace.testkit.ProxyHarness.lines;
import static io.millrace.testkit.ProxyHarness.uri;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import io.millrace.proxy.ProxyApplication;
import io.millrace.testkit.ProxyHarness.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests, responses and tunnels that a proxy forwards, on a transport. A proxy … */
interface ProxyMessageCases {

    ProxyHarness harness();

    @Test
    default void passesRequestsAndResponsesOnKeptConnections() throws Exception {
        Peer client = harness().client();
        client.send(GET);
        Peer server = harness().accept();
        for (int i = 0; i < 3; i++) {
            String request = server.head();
            assertTrue(request.startsWith("GET /a?b HTTP/1.1\r\nHost: shop\r\n"), request);
            server.send(OK);
            assertStatus(200, client.receive("\r\n\r\nok"));
            client.send(GET);
        }
    }

    @Test
    default void rebuildsRequests() throws Exception {
        Peer client = harness().client();
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
                "X.Forwarded.For: 6.6.6.6",
                "X.Forwarded-Proto: https",
                "X-Real.IP: 6.6.6.6",
                "Proxy: http://6.6.6.6",
                "Transfer_Encoding: chunked",
                "Content_Length: 6",
                "X~Plain: 6",
                "Forwarded: for=6.6.6.6",
                "Client-Cert: :AA==:",
                "Client-Cert-Chain: :AA==:",
                "ssl_client_cert: x",
                "Ssl-Client-Escaped-Cert: x",
                "X-SSL-Client-Verify: SUCCESS",
                "Cookie: a=1",
                "X-Keep: 2"));
        Peer server = harness().accept();
        int port = client.socket().getPort();
        assertEquals(
                "GET / HTTP/1.1\r\nHost: shop\r\nX-Keep: 2\r\nCookie: a=1\r\nX-Forwarded-For: 127.0.0.1\r\n"
                        + "X-Forwarded-Proto: http\r\nX-Forwarded-Host: shop\r\nX-Forwarded-Port: " + port
                        + "\r\nTE: trailers\r\nConnection: TE\r\n\r\n",
                server.head());
        server.send("HTTP/1.1 200 Fine\r\nConnection: X-Own\r\nX-Own: 1\r\nKeep-Alive: timeout=5\r\nDate: now\r\n"
                + "Location: http://127.0.0.1:" + harness().backend().getLocalPort()
                + "/next?a\r\nSet-Cookie: s=1; Domain=127.0.0.1; Path=/\r\n"
                + "X-Two: 1\r\nX-Two: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        assertEquals(
                "HTTP/1.1 200 OK\r\nDate: now\r\nLocation: /next?a\r\nSet-Cookie: s=1; Path=/\r\nX-Two: 1\r\nX-Two: 2\r\n"
                        + "Content-Length: 3\r\nConnection: close\r\n\r\nabc",
                client.rest());
    }

    /** RFC 9110, 7.6.2; other methods pass it on as they pass on what they do not know. */
    @ParameterizedTest
    @CsvSource({
        "OPTIONS, 1, 0",
        "OPTIONS, 007, 6",
        "OPTIONS, 99999999999999999999, 999999999",
        "OPTIONS, -1, -1",
        "OPTIONS, x, x",
        "GET, 0, 0",
    })
    default void countsTheProxiesThatOptionsMayPass(String method, String sent, String passed) throws Exception {
        Peer client = harness().client();
        client.send(lines(method + " /a HTTP/1.1", "Host: shop", "Max-Forwards: " + sent));
        String head = harness().accept().head();
        assertTrue(head.contains("\r\nMax-Forwards: " + passed + "\r\n"), head);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00"})
    default void answersOptionsThatMayPassNoProxy(String sent) throws Exception {
        Peer client = harness().client();
        client.send(lines("OPTIONS /a HTTP/1.1", "Host: shop", "Connection: close", "Max-Forwards: " + sent));
        String answer = client.rest();
        assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.contains("\r\nAllow: GET, HEAD, "), answer);
    }

    /** Its path would be taken for another host: browsers treat a backslash as a slash, and remove tabs first. */
    @ParameterizedTest
    @ValueSource(strings = {"//evil.example", "/\\evil.example", "/\t/evil.example", ".evil.example/"})
    default void leavesARedirectAsItIsThatWouldLeadElsewhereWithoutTheBackendsName(String rest) throws Exception {
        assertEquals("http://127.0.0.1:" + harness().backend().getLocalPort() + rest, redirect(rest));
    }

    @ParameterizedTest
    @CsvSource({"'', /", "/, /", "/a%5Cb, /a%5Cb", "?a=/b, /?a=/b"})
    default void makesAPathOfABackendsRedirectToItself(String rest, String path) throws Exception {
        assertEquals(path, redirect(rest));
    }

    private String redirect(String rest) throws IOException {
        Peer client = harness().client();
        client.send(lines("GET / HTTP/1.1", "Host: shop", "Connection: close"));
        Peer server = harness().accept();
        server.head();
        server.send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:"
                + harness().backend().getLocalPort() + rest + "\r\nContent-Length: 0\r\n\r\n");
        return client.rest().split("Location: ", -1)[1].split("\r\n", -1)[0];
    }

    /** With a length, with chunks, and without a body. */
    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "GET", "POST"})
    default void passesAResponseThatDrips(String method) throws Exception {
        Peer client = harness().client();
        client.send(method + " / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        Peer server = harness().accept();
        server.head();
        String response =
                "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 5\r\n\r\n" + (method.equals("HEAD") ? "" : "hello");
        for (int i = 0; i < response.length(); i++) {
            server.send(response.substring(i, i + 1));
        }
        assertEquals(response.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), client.rest());
    }

    @Test
    default void asksForABodyWhenTheBackendDoes() throws Exception {
        Peer client = harness().client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        Peer server = harness().accept();
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
    default void neverAsksForABodyThatTheBackendDoesNotWant() throws Exception {
        Peer client = harness().client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        Peer server = harness().accept();
        server.head();
        server.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        assertStatus(403, client.head());
        assertEquals("", server.rest());
    }

    @Test
    @DiffersByTransport
    default void passesAResponseThatComesBeforeTheWholeRequest() throws Exception {
        Peer client = harness().client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        Peer server = harness().accept();
        server.receive("3\r\nabc\r\n");
        server.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
        assertStatus(413, client.receive("\r\n\r\nno"));
        assertEquals("", server.rest());
    }

    @Test
    default void passesTrailersBothWays() throws Exception {
        Peer client = harness().client();
        client.send(
                "POST / HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n");
        Peer server = harness().accept();
        assertTrue(server.receive("X-Sum: 6\r\n\r\n").endsWith("3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n"));
        server.send(
                "HTTP/1.1 200 OK\r\nTrailer: X-Out\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Out: 7\r\n\r\n");
        assertTrue(client.receive("X-Out: 7\r\n\r\n").endsWith("0\r\nX-Out: 7\r\n\r\n"));
    }

    /** It has no answer: over HTTP/2, where a handshake has no key, the backend could not know. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: y",
                "Sec-WebSocket-Key: x",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZQ==",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
            })
    default void ignoresTheUpgradeOfAHandshakeWithoutAValidKey(String key) throws Exception {
        Peer client = harness().client();
        client.send(lines("GET / HTTP/1.1", "Host: shop", "Connection: Upgrade", "Upgrade: websocket", key));
        String request = harness().accept().head();
        assertTrue(request.startsWith("GET / ") && !request.contains("Upgrade"), request);
    }

    @Test
    default void forwardsAHandshakeThatOffersOtherProtocolsToo() throws Exception {
        Peer client = harness().client();
        client.send(lines(
                "GET / HTTP/1.1",
                "Host: shop",
                "Connection: Upgrade",
                "Upgrade: h2c, WebSocket",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
        String request = harness().accept().head();
        assertTrue(request.contains("Connection: Upgrade\r\nUpgrade: websocket\r\n"), request);
    }

    /** A backend may merge trailers into the head, and PHP and CGI programs see no difference. */
    @Test
    default void dropsTrailersThatAClientMayNotSendAsHeaders() throws Exception {
        Peer client = harness().client();
        client.send(lines("POST / HTTP/1.1", "Host: shop", "Connection: X-Own", "Transfer-Encoding: chunked")
                + "3\r\nabc\r\n0\r\n"
                + lines(
                        "X-Sum: 6",
                        "X-Forwarded-For: 6.6.6.6",
                        "X.Forwarded.For: 6.6.6.6",
                        "X-Real-IP: 6.6.6.6",
                        "Forwarded: for=6.6.6.6",
                        "Proxy: http://6.6.6.6",
                        "SSL-Client-Cert: 6",
                        "Client-Cert: :AA==:",
                        "Authorization: Basic 6",
                        "Cookie: a=6",
                        "Host: 6",
                        "Content-Length: 6",
                        "Max-Forwards: 6",
                        "X-Own: 6"));
        Peer server = harness().accept();
        String request = server.receive("\r\n0\r\n") + server.receive("\r\n\r\n");
        assertTrue(request.endsWith("3\r\nabc\r\n0\r\nX-Sum: 6\r\n\r\n"), request);
    }

    @Test
    @DiffersByTransport
    default void tunnelsAWebSocketAndEachDirectionEndsByItself() throws Exception {
        Peer client = harness().client();
        client.send(UPGRADE);
        Peer server = harness().accept();
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

    /** The frame races with the news that the request to the backend, and the 101 to the client, were written. */
    @Test
    @DiffersByTransport
    default void losesNoTunnelWhoseClientSendsAtOnce() throws Exception {
        Server proxy =
                harness().start(ProxyApplication.to(uri(harness().backend().getLocalPort())));
        ExecutorService threads = Executors.newCachedThreadPool();
        harness().opened((AutoCloseable) threads::shutdownNow);
        for (int i = 0; i < 8; i++) {
            threads.execute(this::echoTunnels);
        }
        long stop = System.nanoTime() + RaceContract.NANOS;
        List<Future<?>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(threads.submit(() -> {
                while (System.nanoTime() < stop) {
                    try (Peer client = new Peer(new Socket(InetAddress.getLoopbackAddress(), proxy.port()))) {
                        client.send(UPGRADE).head();
                        client.send("early").receive("early");
                    }
                }
                return null;
            }));
        }
        for (Future<?> client : clients) {
            client.get(Deadline.DEFAULT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** One after the other, until the backend is closed. */
    private void echoTunnels() {
        while (!harness().backend().isClosed()) {
            try (Peer server = new Peer(harness().backend().accept())) {
                server.head();
                server.send(lines("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"));
                server.send(server.receive("early")).rest();
            } catch (IOException broken) {
                // its client fails
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /a/../b HTTP/1.1, 400",
        "GET /a/%2e%2E/b HTTP/1.1, 400",
        "GET /a/..;x=y/b HTTP/1.1, 400",
        "TRACE / HTTP/1.1, 405"
    })
    default void passesNothingThatABackendCouldReadInAnotherWay(String line, int status) throws Exception {
        assertStatus(
                status, harness().client().send(line + "\r\nHost: shop\r\n\r\n").head());
    }

    /** Large bodies in both directions, with slow clients and a slow backend. */
    @Test
    @DiffersByTransport
    default void passesLargeBodiesUnchanged() throws Exception {
        Server echo = harness().start((NonBlockingHandler) ProxyMessageCases::echo);
        Server proxy = harness().start(ProxyApplication.to(uri(echo.port())));
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
