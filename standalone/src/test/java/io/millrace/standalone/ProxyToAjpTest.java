package io.millrace.standalone;

import static io.millrace.testkit.ProxyHarness.GET;
import static io.millrace.testkit.ProxyHarness.UPGRADE;
import static io.millrace.testkit.ProxyHarness.assertStatus;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.settings.Settings;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.ProxyHarness;
import io.millrace.testkit.ProxyHarness.Peer;
import io.millrace.testkit.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The proxy before a backend that speaks AJP: our own, or one that is a socket of the test. It … */
@NeedsConnector("ajp")
@Timeout(120)
final class ProxyToAjpTest {

    private static final int LARGE = 3_000_000;

    private final ProxyHarness harness;

    ProxyToAjpTest() throws IOException {
        harness = new ProxyHarness(Transports.provider(Transports.byDefault()));
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    /** Answers with the body that it gets, and says what it knows of its client. */
    private static final class Echo extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader(
                    "X-Seen",
                    request.getMethod() + " " + request.getRequestURL() + "?" + request.getQueryString() + " "
                            + request.getRemoteAddr() + " " + request.getContentLengthLong());
            response.setHeader("X-Activation", String.valueOf(request.getAttribute("JK_LB_ACTIVATION")));
            request.getInputStream().transferTo(response.getOutputStream());
        }
    }

    private Server backend(String transport) throws IOException {
        return harness.opened(Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .address("127.0.0.1")
                        .port(0)
                        .protocol(Connectors.protocol("ajp").create("http", options()))
                        .build())
                .application(WebApplication.builder("")
                        .servlet("echo", new Echo(), registration -> registration.addMapping("/*"))
                        .build())
                .start());
    }

    private static Settings options() {
        return Connectors.with("ajp", Settings.DEFAULTS, "secret", "s3 c&t");
    }

    private static String address(int port) {
        return "ajp://127.0.0.1:" + port + "?secret=s3%20c%26t";
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void passesRequestsAndLargeBodies(String transport) throws Exception {
        Server backend = backend(transport);
        ProxyHarness own = new ProxyHarness(Transports.provider(transport));
        harness.<AutoCloseable>opened(own::close);
        Server proxy = own.start(ProxyApplication.to(address(backend.port())).with(ProxyOptions.MAX_CONNECTIONS, 1));
        Peer client = harness.client(proxy);
        for (int i = 0; i < 3; i++) {
            client.send(GET);
            String answer = client.head();
            assertStatus(200, answer);
            assertTrue(answer.contains("X-Seen: GET http://shop/a?b 127.0.0.1 -1\r\n"), answer);
        }
        byte[] body = new byte[LARGE];
        new Random(1).nextBytes(body);
        assertArrayEquals(body, echo(harness.client(proxy), "Content-Length: " + LARGE, body, body));
        assertArrayEquals(body, echo(harness.client(proxy), "Transfer-Encoding: chunked", chunked(body), body));
        client.send(GET);
        assertStatus(200, client.head());
    }

    private static byte[] echo(Peer client, String framing, byte[] sent, byte[] expected) throws Exception {
        Thread sender = new Thread(() -> {
            try {
                OutputStream out = client.socket().getOutputStream();
                client.send("POST /a HTTP/1.1\r\nHost: shop\r\n" + framing + "\r\n\r\n");
                out.write(sent);
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
        });
        sender.start();
        String answer = client.head();
        assertStatus(200, answer);
        boolean chunked = answer.contains("Transfer-Encoding: chunked");
        byte[] body =
                chunked ? unchunked(client) : client.socket().getInputStream().readNBytes(expected.length);
        sender.join();
        return body;
    }

    private static byte[] chunked(byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; at += 10_000) {
            int size = Math.min(10_000, body.length - at);
            out.write((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(body, at, size);
            out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return out.toByteArray();
    }

    private static byte[] unchunked(Peer client) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(client); size > 0; size = size(client)) {
            body.write(client.socket().getInputStream().readNBytes(size));
            client.receive("\r\n");
        }
        client.receive("\r\n");
        return body.toByteArray();
    }

    private static int size(Peer client) throws IOException {
        return Integer.parseInt(client.receive("\r\n").strip(), 16);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 3, abc", "Transfer-Encoding: chunked, 3~abc~0~~"})
    void asksAClientThatWaitsFor100(String framing, String body) throws Exception {
        Peer client = harness.client(harness.start(
                ProxyApplication.to(address(backend(Transports.byDefault()).port()))));
        client.send("POST /a HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\n" + framing + "\r\n\r\n");
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", client.head());
        client.send(body.replace("~", "\r\n"));
        assertStatus(200, client.receive("abc"));
    }

    /** A server may ignore Upgrade (RFC 9110, 7.8): a page is a page whatever the protocol of its backend. */
    @Test
    void sendsAnUpgradeAsAnOrdinaryRequest() throws Exception {
        Peer client = harness.client(harness.start(
                ProxyApplication.to(address(backend(Transports.byDefault()).port()))));
        client.send(UPGRADE);
        assertStatus(200, client.head());
        Peer other = harness.client(harness.start(
                ProxyApplication.to(address(backend(Transports.byDefault()).port()))));
        other.send(GET);
        assertStatus(200, other.head());
    }

    @Test
    void sendsAnUpgradeToABackendOfAnotherProtocol() throws Exception {
        String ajp = address(backend(Transports.byDefault()).port());
        ServerSocket other = harness.listening();
        Server proxy = harness.start(
                ProxyApplication.to(ajp + "&route=one", ajp + "&route=two", "http://127.0.0.1:" + other.getLocalPort())
                        .with(ProxyOptions.STICKY, "id"));
        Peer client = harness.client(proxy);
        client.send(UPGRADE.replace("Host: shop", "Host: shop\r\nCookie: id=1.one"));
        Peer server = harness.opened(new Peer(other.accept()));
        server.head();
        server.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        assertStatus(403, client.head());
    }

    /** As mod_jk does, so that the container can send away those without a session. */
    @Test
    void tellsABackendThatItIsDraining() throws Exception {
        String address = address(backend(Transports.byDefault()).port());
        ProxyApplication application =
                ProxyApplication.to(address + "&route=one").with(ProxyOptions.STICKY, "id");
        Peer client = harness.client(harness.start(application));
        String request = GET.replace("Host: shop", "Host: shop\r\nCookie: id=1.one");
        client.send(request);
        assertTrue(client.head().contains("X-Activation: null\r\n"));
        application.drain(address.substring(0, address.indexOf('?')));
        client.send(request);
        assertTrue(client.head().contains("X-Activation: DIS\r\n"));
    }

    @Test
    void sendsClientsAwayWhoseSessionHasEndedWhereItIsDrained() throws Exception {
        Server backend = harness.opened(Server.builder()
                .connector(Connector.builder()
                        .address("127.0.0.1")
                        .port(0)
                        .protocol(Connectors.protocol("ajp").create("http", options()))
                        .build())
                .application(WebApplication.builder("")
                        .servlet("echo", new Echo(), registration -> registration.addMapping("/*"))
                        .build()
                        .draining(DrainingRule.DEFAULT))
                .start());
        String address = address(backend.port());
        ProxyApplication application =
                ProxyApplication.to(address + "&route=one").with(ProxyOptions.STICKY, "JSESSIONID");
        Peer client = harness.client(harness.start(application));
        String gone = GET.replace("Host: shop", "Host: shop\r\nCookie: JSESSIONID=gone.one");
        client.send(gone);
        assertStatus(200, client.head());
        application.drain(address.substring(0, address.indexOf('?')));
        client.send(gone);
        String away = client.head();
        assertStatus(307, away);
        assertTrue(away.contains("Location: /a?b\r\n"), away);
        assertTrue(away.contains("Set-Cookie: JSESSIONID=; Max-Age=0; "), away);
    }

    @Test
    void isRefusedWithAnotherSecret() throws Exception {
        int port = backend(Transports.byDefault()).port();
        Peer client = harness.client(harness.start(ProxyApplication.to("ajp://127.0.0.1:" + port + "?secret=other")));
        client.send(GET);
        assertStatus(403, client.head());
    }

    /** The payload of the next packet. */
    private static byte[] packet(Peer backend) throws IOException {
        InputStream in = backend.socket().getInputStream();
        byte[] prefix = in.readNBytes(4);
        return in.readNBytes((prefix[2] & 0xff) << 8 | prefix[3] & 0xff);
    }

    private static byte[] response() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[] {'A', 'B', 0, 14, 4, 0, (byte) 200, 0, 0, 0, 0, 1, (byte) 0xa0, 3, 0, 1, '5', 0});
        out.write(new byte[] {'A', 'B', 0, 9, 3, 0, 5, 'h', 'e', 'l', 'l', 'o', 0});
        out.write(new byte[] {'A', 'B', 0, 2, 5, 1});
        return out.toByteArray();
    }

    @Test
    void answersForABackendThatBreaksOffAtAnyOctetAndCutsWhatHasBegun() throws Exception {
        ServerSocket listener = harness.listening();
        Server proxy = harness.start(ProxyApplication.to(address(listener.getLocalPort())));
        byte[] whole = response();
        for (int cut = 1; cut <= whole.length; cut++) {
            Peer client = harness.client(proxy);
            client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try (Peer server = new Peer(listener.accept())) {
                packet(server);
                server.socket().getOutputStream().write(whole, 0, cut);
            }
            String seen = client.rest();
            boolean headCame = cut >= 18;
            assertTrue(headCame || seen.startsWith("HTTP/1.1 502"), cut + ": " + seen);
            assertTrue(cut < 31 || seen.startsWith("HTTP/1.1 200"), cut + ": " + seen);
            client.close();
        }
    }

    @Test
    void refusesWhatIsNoPacketAtEachOctet() throws Exception {
        ServerSocket listener = harness.listening();
        Server proxy = harness.start(ProxyApplication.to(address(listener.getLocalPort())));
        byte[] whole = response();
        for (int at = 0; at < 18; at++) {
            byte[] lying = whole.clone();
            lying[at] ^= (byte) 0x80;
            Peer client = harness.client(proxy);
            client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try (Peer server = new Peer(listener.accept())) {
                packet(server);
                server.socket().getOutputStream().write(lying);
                server.socket().shutdownOutput();
                String seen = client.rest();
                boolean whatAValueMayHold = at == 5 || at == 6;
                assertTrue(whatAValueMayHold || seen.startsWith("HTTP/1.1 502"), at + ": " + seen);
            }
            client.close();
        }
    }

    @Test
    void givesTheBackendUpWhenTheClientGoes() throws Exception {
        ServerSocket listener = harness.listening();
        Server proxy = harness.start(ProxyApplication.to(address(listener.getLocalPort())));
        Peer client = harness.client(proxy);
        client.send(GET);
        Peer server = harness.opened(new Peer(listener.accept()));
        packet(server);
        client.socket().setSoLinger(true, 0);
        client.close();
        assertEquals("", server.rest().replace("RESET", ""));
    }

    @Test
    void triesAnotherBackendWhereTheRequestWasNotSent() throws Exception {
        ServerSocket dead = harness.listening();
        dead.close();
        Server proxy = harness.start(ProxyApplication.to(
                address(dead.getLocalPort()),
                address(backend(Transports.byDefault()).port())));
        Peer client = harness.client(proxy);
        for (int i = 0; i < 8; i++) {
            client.send("POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
            assertStatus(200, client.receive("abc"));
        }
    }

    @Test
    void answersForABackendThatIsSilent() throws Exception {
        ServerSocket listener = harness.listening();
        Server proxy = harness.start(ProxyApplication.to(address(listener.getLocalPort()))
                .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(100)));
        Peer client = harness.client(proxy);
        client.send(GET);
        packet(harness.opened(new Peer(listener.accept())));
        assertStatus(504, client.head());
    }
}
