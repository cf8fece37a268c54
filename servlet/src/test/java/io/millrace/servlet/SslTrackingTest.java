package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.testkit.TestTls;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that tracks its sessions by SSL … */
@OnDefaultCarriers
final class SslTrackingTest {

    private final Carrier carrier;

    @TempDir
    private Path directory = Path.of("");

    SslTrackingTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Server start() throws IOException, GeneralSecurityException {
        Path keys = directory.resolve("keys.p12");
        try (OutputStream out = Files.newOutputStream(keys)) {
            TestTls.keyStore().store(out, TestTls.PASSWORD.toCharArray());
        }
        WebApplicationBuilder application = WebApplication.builder("")
                .docBase(directory)
                .servlet(
                        "last",
                        Serving.with((request, response) ->
                                response.getWriter().print(request.getSession().getLastAccessedTime())),
                        "/last")
                .configure(context -> context.setSessionTrackingModes(Set.of(SessionTrackingMode.SSL)))
                .servlet(
                        "count",
                        Serving.with((request, response) ->
                                response.getWriter().print(count(request) + response.encodeURL("/x"))),
                        "/count");
        return Server.builder()
                .transport(new Carrier.DripProvider())
                .connector(Connector.builder()
                        .transport(carrier.transport())
                        .port(0)
                        .tls(TlsOptions.keystore(keys, TestTls.PASSWORD))
                        .build())
                .application(application.build())
                .start();
    }

    private static String count(HttpServletRequest request) {
        HttpSession session = request.getSession();
        int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
        session.setAttribute("count", count);
        boolean own = session.getId().equals(request.getAttribute("javax.servlet.request.ssl_session_id"));
        return count + (own ? " own " : " other ") + (request.isRequestedSessionIdFromCookie() ? "cookie" : "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void knowsAClientByItsTlsSession(String version) throws Exception {
        try (Server server = start();
                SSLSocket one = connect(server, TestTls.of(version));
                SSLSocket two = connect(server, TestTls.of(version))) {
            assertEquals("1 own /x", get(one, ""));
            assertEquals("2 own /x", get(one, ""));
            assertEquals("1 own /x", get(two, ""));
            assertEquals("3 own /x", get(one, ""));
        }
    }

    @Test
    void knowsAClientOfTls12OnItsNextConnection() throws Exception {
        TestTls client = TestTls.of("TLSv1.2");
        try (Server server = start();
                SSLSocket one = connect(server, client);
                SSLSocket two = connect(server, client)) {
            assertEquals("1 own /x", get(one, ""));
            assertEquals("2 own /x", get(two, ""));
        }
    }

    /** Servlet 3.1, 7.6. */
    @Test
    void keepsASessionAliveByRequestsThatDoNotAskForIt() throws Exception {
        Files.writeString(directory.resolve("file.txt"), "static");
        try (Server server = start();
                SSLSocket client = connect(server, TestTls.of("TLSv1.2"))) {
            get(client, "/last", "");
            for (int i = 0; i < 3; i++) {
                long before = System.currentTimeMillis();
                while (System.currentTimeMillis() <= before) {
                    Thread.onSpinWait();
                }
                assertEquals("static", get(client, "/file.txt", ""));
                assertTrue(Long.parseLong(get(client, "/last", "")) > before);
            }
        }
    }

    @Test
    void takesNoIdThatComesAnotherWay() throws Exception {
        try (Server server = start();
                SSLSocket one = connect(server, TestTls.of("TLSv1.2"));
                SSLSocket two = connect(server, TestTls.of("TLSv1.2"))) {
            assertEquals("1 own /x", get(one, ""));
            StringBuilder id = new StringBuilder();
            for (byte part : one.getSession().getId()) {
                id.append(String.format("%02x", part));
            }
            assertFalse(id.isEmpty());
            assertEquals("1 own /x", get(two, "Cookie: JSESSIONID=" + id + "\r\n"));
        }
    }

    private static SSLSocket connect(Server server, TestTls client) throws IOException {
        return client.connect(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }

    /** The body, of a length that is announced. */
    private static String get(SSLSocket socket, String fields) throws IOException {
        return get(socket, "/count", fields);
    }

    private static String get(SSLSocket socket, String path, String fields) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertTrue(next >= 0, head.toString());
            head.append((char) next);
        }
        assertFalse(head.toString().contains("Set-Cookie"), head.toString());
        String length = head.toString().replaceFirst("(?s).*Content-Length: (\\d+).*", "$1");
        return new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.US_ASCII);
    }
}
