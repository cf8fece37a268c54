package io.millrace.standalone;

import static io.millrace.connector.ajp.AjpOptions.SECRET;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.connector.ajp.AjpProtocol;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
@Timeout(120)
final class ProxyToAjpTest {

    private static final String UPGRADE = String.join(
            "\r\n",
            "GET /chat HTTP/1.1",
            "Host: shop",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "",
            "");
    private static final String GET = "GET /a?b HTTP/1.1\r\nHost: shop\r\n\r\n";
    private static final int LARGE = 3_000_000;

    private final List<AutoCloseable> open = new ArrayList<>();

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
        return opened(Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .address("127.0.0.1")
                        .port(0)
                        .protocol(new AjpProtocol(Settings.DEFAULTS.with(SECRET, "s3 c&t"), "http"))
                        .build())
                .application(WebApplication.builder("")
                        .servlet("echo", new Echo(), registration -> registration.addMapping("/*"))
                        .build())
                .start());
    }

    private Server proxy(String transport, ProxyApplication application) throws IOException {
        return opened(Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .address("127.0.0.1")
                        .port(0)
                        .build())
                .application(application)
                .start());
    }

    private static String address(int port) {
        return "ajp://127.0.0.1:" + port + "?secret=s3%20c%26t";
    }

    private Socket client(Server server) throws IOException {
        return opened(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String receive(Socket socket, String end) throws IOException {
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

    private static String head(Socket socket) throws IOException {
        return receive(socket, "\r\n\r\n");
    }

    /** All up to the end, or a reset. */
    private static String rest(Socket socket) {
        StringBuilder text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int octet = in.read(); octet >= 0; octet = in.read()) {
                text.append((char) octet);
            }
        } catch (IOException reset) {
            text.append("RESET");
        }
        return text.toString();
    }

    private static void assertStatus(int status, String response) {
        assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
    }

    @ParameterizedTest
    @MethodSource("io.millrace.testkit.Transports#installed")
    void passesRequestsAndLargeBodies(String transport) throws Exception {
        Server backend = backend(transport);
        Server proxy =
                proxy(transport, ProxyApplication.to(address(backend.port())).with(ProxyOptions.MAX_CONNECTIONS, 1));
        Socket client = client(proxy);
        for (int i = 0; i < 3; i++) {
            send(client, GET);
            String answer = head(client);
            assertStatus(200, answer);
            assertTrue(answer.contains("X-Seen: GET http://shop/a?b 127.0.0.1 -1\r\n"), answer);
        }
        byte[] body = new byte[LARGE];
        new Random(1).nextBytes(body);
        assertArrayEquals(body, echo(client(proxy), "Content-Length: " + LARGE, body, body));
        assertArrayEquals(body, echo(client(proxy), "Transfer-Encoding: chunked", chunked(body), body));
        send(client, GET);
        assertStatus(200, head(client));
    }

    private static byte[] echo(Socket client, String framing, byte[] sent, byte[] expected) throws Exception {
        Thread sender = new Thread(() -> {
            try {
                OutputStream out = client.getOutputStream();
                send(client, "POST /a HTTP/1.1\r\nHost: shop\r\n" + framing + "\r\n\r\n");
                out.write(sent);
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
        });
        sender.start();
        String answer = head(client);
        assertStatus(200, answer);
        boolean chunked = answer.contains("Transfer-Encoding: chunked");
        byte[] body = chunked ? unchunked(client) : client.getInputStream().readNBytes(expected.length);
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

    private static byte[] unchunked(Socket client) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(client); size > 0; size = size(client)) {
            body.write(client.getInputStream().readNBytes(size));
            receive(client, "\r\n");
        }
        receive(client, "\r\n");
        return body.toByteArray();
    }

    private static int size(Socket client) throws IOException {
        return Integer.parseInt(receive(client, "\r\n").strip(), 16);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 3, abc", "Transfer-Encoding: chunked, 3~abc~0~~"})
    void asksAClientThatWaitsFor100(String framing, String body) throws Exception {
        Socket client =
                client(proxy("nio", ProxyApplication.to(address(backend("nio").port()))));
        send(client, "POST /a HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\n" + framing + "\r\n\r\n");
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", head(client));
        send(client, body.replace("~", "\r\n"));
        assertStatus(200, receive(client, "abc"));
    }

    @Test
    void answersAnUpgradeWithNotImplementedAndTheNextRequest() throws Exception {
        Socket client =
                client(proxy("nio", ProxyApplication.to(address(backend("nio").port()))));
        send(client, UPGRADE);
        assertStatus(501, head(client));
        Socket other =
                client(proxy("nio", ProxyApplication.to(address(backend("nio").port()))));
        send(other, GET);
        assertStatus(200, head(other));
    }

    @Test
    void sendsAnUpgradeToABackendOfAnotherProtocol() throws Exception {
        String ajp = address(backend("nio").port());
        ServerSocket other = listening();
        Server proxy = proxy(
                "nio",
                ProxyApplication.to(ajp + "&route=one", ajp + "&route=two", "http://127.0.0.1:" + other.getLocalPort())
                        .with(ProxyOptions.STICKY, "id"));
        Socket client = client(proxy);
        send(client, UPGRADE.replace("Host: shop", "Host: shop\r\nCookie: id=1.one"));
        Socket server = opened(other.accept());
        head(server);
        send(server, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        assertStatus(403, head(client));
    }

    /** As mod_jk does, so that the container can send away those without a session. */
    @Test
    void tellsABackendThatItIsDraining() throws Exception {
        String address = address(backend("nio").port());
        ProxyApplication application =
                ProxyApplication.to(address + "&route=one").with(ProxyOptions.STICKY, "id");
        Socket client = client(proxy("nio", application));
        String request = GET.replace("Host: shop", "Host: shop\r\nCookie: id=1.one");
        send(client, request);
        assertTrue(head(client).contains("X-Activation: null\r\n"));
        application.drain(address.substring(0, address.indexOf('?')));
        send(client, request);
        assertTrue(head(client).contains("X-Activation: DIS\r\n"));
    }

    @Test
    void sendsClientsAwayWhoseSessionHasEndedWhereItIsDrained() throws Exception {
        Server backend = opened(Server.builder()
                .connector(Connector.builder()
                        .address("127.0.0.1")
                        .port(0)
                        .protocol(new AjpProtocol(Settings.DEFAULTS.with(SECRET, "s3 c&t"), "http"))
                        .build())
                .application(WebApplication.builder("")
                        .servlet("echo", new Echo(), registration -> registration.addMapping("/*"))
                        .build()
                        .draining(DrainingRule.DEFAULT))
                .start());
        String address = address(backend.port());
        ProxyApplication application =
                ProxyApplication.to(address + "&route=one").with(ProxyOptions.STICKY, "JSESSIONID");
        Socket client = client(proxy("nio", application));
        String gone = GET.replace("Host: shop", "Host: shop\r\nCookie: JSESSIONID=gone.one");
        send(client, gone);
        assertStatus(200, head(client));
        application.drain(address.substring(0, address.indexOf('?')));
        send(client, gone);
        String away = head(client);
        assertStatus(307, away);
        assertTrue(away.contains("Location: /a?b\r\n"), away);
        assertTrue(away.contains("Set-Cookie: JSESSIONID=; Max-Age=0; "), away);
    }

    @Test
    void isRefusedWithAnotherSecret() throws Exception {
        int port = backend("nio").port();
        Socket client = client(proxy("nio", ProxyApplication.to("ajp://127.0.0.1:" + port + "?secret=other")));
        send(client, GET);
        assertStatus(403, head(client));
    }

    private ServerSocket listening() throws IOException {
        return opened(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    /** The payload of the next packet. */
    private static byte[] packet(Socket backend) throws IOException {
        InputStream in = backend.getInputStream();
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
        ServerSocket listener = listening();
        Server proxy = proxy("nio", ProxyApplication.to(address(listener.getLocalPort())));
        byte[] whole = response();
        for (int cut = 1; cut <= whole.length; cut++) {
            Socket client = client(proxy);
            send(client, "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try (Socket server = listener.accept()) {
                packet(server);
                server.getOutputStream().write(whole, 0, cut);
            }
            String seen = rest(client);
            boolean headCame = cut >= 18;
            assertTrue(headCame || seen.startsWith("HTTP/1.1 502"), cut + ": " + seen);
            assertTrue(cut < 31 || seen.startsWith("HTTP/1.1 200"), cut + ": " + seen);
            client.close();
        }
    }

    @Test
    void refusesWhatIsNoPacketAtEachOctet() throws Exception {
        ServerSocket listener = listening();
        Server proxy = proxy("nio", ProxyApplication.to(address(listener.getLocalPort())));
        byte[] whole = response();
        for (int at = 0; at < 18; at++) {
            byte[] lying = whole.clone();
            lying[at] ^= (byte) 0x80;
            Socket client = client(proxy);
            send(client, "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try (Socket server = listener.accept()) {
                packet(server);
                server.getOutputStream().write(lying);
                server.shutdownOutput();
                String seen = rest(client);
                boolean whatAValueMayHold = at == 5 || at == 6;
                assertTrue(whatAValueMayHold || seen.startsWith("HTTP/1.1 502"), at + ": " + seen);
            }
            client.close();
        }
    }

    @Test
    void givesTheBackendUpWhenTheClientGoes() throws Exception {
        ServerSocket listener = listening();
        Server proxy = proxy("nio", ProxyApplication.to(address(listener.getLocalPort())));
        Socket client = client(proxy);
        send(client, GET);
        Socket server = opened(listener.accept());
        packet(server);
        client.setSoLinger(true, 0);
        client.close();
        assertEquals("", rest(server).replace("RESET", ""));
    }

    @Test
    void triesAnotherBackendWhereTheRequestWasNotSent() throws Exception {
        ServerSocket dead = listening();
        dead.close();
        Server proxy = proxy(
                "nio",
                ProxyApplication.to(
                        address(dead.getLocalPort()), address(backend("nio").port())));
        Socket client = client(proxy);
        for (int i = 0; i < 8; i++) {
            send(client, "POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
            assertStatus(200, receive(client, "abc"));
        }
    }

    @Test
    void answersForABackendThatIsSilent() throws Exception {
        ServerSocket listener = listening();
        Server proxy = proxy(
                "nio",
                ProxyApplication.to(address(listener.getLocalPort()))
                        .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(100)));
        Socket client = client(proxy);
        send(client, GET);
        packet(opened(listener.accept()));
        assertStatus(504, head(client));
    }
}
