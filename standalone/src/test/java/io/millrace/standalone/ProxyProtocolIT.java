package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import io.millrace.testkit.TestTls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On a port that takes the PROXY protocol, by curl, haproxy and bare sockets, … */
@NullUnmarked
final class ProxyProtocolIT {

    private static final List<String> TRANSPORTS = AllTransports.TRANSPORTS;
    private static final String GET = "GET /where HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    static final byte[] LINE = "PROXY TCP4 198.51.100.7 192.0.2.1 4711 443\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Version 2: the same addresses. */
    static final byte[] BLOCK =
            HexFormat.of().parseHex("0d0a0d0a000d0a515549540a" + "2111" + "000c" + "c6336407c0000201126701bb");

    /** Behind the two ports of each transport. */
    private static final int STRANGERS = 2 * TRANSPORTS.size();

    private static final int STRANGERS_OPTIONAL = STRANGERS + 1;
    private static final int IMPATIENT = STRANGERS + 2;
    private static final int GUIDES = STRANGERS + 3;

    @TempDir
    private static Path base;

    private static ProbeServer server;
    private static Path certificate;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.certificate(base.resolve("trusted.pem"));
        TestCertificate.keystore(base.resolve("keys.p12"));
        StringBuilder connectors = new StringBuilder();
        for (String transport : TRANSPORTS) {
            String common = "<Connector port='0' address='127.0.0.1' protocol='" + transport
                    + "' proxyProtocol='required' proxyProtocolTrusted='127.0.0.0/8' ";
            connectors.append(common).append("/>\n");
            connectors
                    .append(common)
                    .append("SSLEnabled='true' scheme='https' secure='true'><SSLHostConfig><Certificate")
                    .append(" certificateKeystoreFile='keys.p12' certificateKeystorePassword='testkit'")
                    .append("/></SSLHostConfig></Connector>\n");
        }
        connectors.append("""
                <Connector port='0' address='127.0.0.1' proxyProtocol='required' proxyProtocolTrusted='10.0.0.0/8'/>
                <Connector port='0' address='127.0.0.1' proxyProtocol='optional' proxyProtocolTrusted='10.0.0.0/8'/>
                <Connector port='0' address='127.0.0.1' proxyProtocol='required' proxyProtocolTrusted='127.0.0.1'
                    proxyProtocolTimeout='300'/>
                """);
        connectors.append(Snippets.of("behind-a-proxy.md")
                .get("proxy-protocol")
                .replace("port=\"8080\"", "port=\"0\" address=\"127.0.0.1\"")
                .replace("10.0.0.0/8", "127.0.0.0/8"));
        server = ProbeServer.serving(base, connectors.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Arguments> ports() {
        return TRANSPORTS.stream().flatMap(each -> Stream.of(Arguments.of(each, "http"), Arguments.of(each, "https")));
    }

    @ParameterizedTest
    @MethodSource("ports")
    void servesCurl(String transport, String scheme) throws Exception {
        String answer = curl("--haproxy-protocol", url(transport, scheme));
        assertTrue(answer.contains("remote 127.0.0.1 "), answer);
        assertTrue(answer.contains("scheme " + scheme + " " + scheme.equals("https")), answer);
    }

    @ParameterizedTest
    @MethodSource("ports")
    void closesAConnectionWithoutItsHeader(String transport, String scheme) throws Exception {
        List<String> words = new ArrayList<>(List.of("curl", "-sS", "--max-time", "20"));
        words.addAll(List.of("--cacert", certificate.toString(), url(transport, scheme)));
        assertNotEquals(0, Command.run("", words).status());
        server.product().awaitLine("MILLRACE0781");
    }

    @ParameterizedTest
    @MethodSource("ports")
    void namesTheClientOfVersionOne(String transport, String scheme) throws Exception {
        assertNamesTheClient(transport, scheme, LINE);
    }

    @ParameterizedTest
    @MethodSource("ports")
    void namesTheClientOfVersionTwo(String transport, String scheme) throws Exception {
        assertNamesTheClient(transport, scheme, BLOCK);
    }

    @ParameterizedTest
    @MethodSource("ports")
    void namesTheClientOfHaproxy(String transport, String scheme) throws Exception {
        for (String version : List.of("send-proxy", "send-proxy-v2")) {
            try (Haproxy haproxy = Haproxy.before(port(transport, scheme), "", version, base)) {
                String url = scheme + "://localhost:" + haproxy.port() + "/where";
                String answer = curl("--interface", "127.0.0.2", url);
                assertTrue(answer.contains("remote 127.0.0.2 "), version + ": " + answer);
                assertTrue(answer.contains("local 127.0.0.1 " + haproxy.port()), version + ": " + answer);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void isSecureBehindAHaproxyThatEndsTls(String transport) throws Exception {
        Path keys = TestCertificate.both(base.resolve("both.pem"));
        String bind = "ssl crt " + keys;
        try (Haproxy haproxy = Haproxy.before(port(transport, "http"), bind, "send-proxy-v2-ssl-cn", base)) {
            String answer = curl("https://localhost:" + haproxy.port() + "/where");
            assertTrue(answer.contains("scheme https true"), answer);
            assertTrue(answer.contains("url https://localhost:" + haproxy.port() + "/where"), answer);
        }
    }

    static Stream<String> transports() {
        return TRANSPORTS.stream();
    }

    @Test
    void knowsTheClientAsTheUserGuideSetsItUp() throws Exception {
        String line = Snippets.of("behind-a-proxy.md").get("haproxy");
        try (Haproxy haproxy = Haproxy.by(line.replace("10.0.0.1:8080", "127.0.0.1:" + server.port(GUIDES)), base)) {
            String answer = curl("--interface", "127.0.0.2", "http://localhost:" + haproxy.port() + "/where");
            assertTrue(answer.contains("remote 127.0.0.2 "), answer);
        }
    }

    @Test
    void closesAStrangersConnectionAndSaysWhy() throws Exception {
        try (RawClient client = RawClient.connect(server.port(STRANGERS))) {
            client.awaitClose();
        }
        String line = server.product().awaitLine("MILLRACE0780");
        assertTrue(line.contains("127.0.0.1") && line.contains("10.0.0.0/8"), line);
    }

    @Test
    void neverBelievesAStrangerWhoNeedNotSayAnything() throws Exception {
        assertEquals(200, Curl.status(server.url(STRANGERS_OPTIONAL, "/where")));
        try (RawClient client = RawClient.connect(server.port(STRANGERS_OPTIONAL))) {
            String answer = client.send(LINE).send(GET).readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        }
    }

    @Test
    void closesAConnectionWhoseHeaderComesTooSlowly() throws Exception {
        try (RawClient client = RawClient.connect(server.port(IMPATIENT))) {
            client.send("PROXY TCP4 198.51.").awaitClose();
        }
        String line = server.product().awaitLine("MILLRACE0783");
        assertTrue(line.contains("300 ms"), line);
    }

    private static void assertNamesTheClient(String transport, String scheme, byte[] header) throws Exception {
        try (RawClient socket = RawClient.connect(port(transport, scheme))) {
            socket.send(header);
            RawClient client = scheme.equals("https") ? socket.secured(TestTls.create()) : socket;
            String answer = client.send(GET).readTextToEnd();
            assertTrue(answer.contains("remote 198.51.100.7 4711"), answer);
            assertTrue(answer.contains("local 192.0.2.1 443"), answer);
            assertTrue(answer.contains("scheme " + scheme + " " + scheme.equals("https")), answer);
            assertFalse(answer.contains("PROXY"), answer);
        }
    }

    private static String curl(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("--cacert", certificate.toString()));
        all.addAll(List.of(arguments));
        return Curl.run(all.toArray(String[]::new));
    }

    private static int port(String transport, String scheme) {
        return server.port(2 * TRANSPORTS.indexOf(transport) + (scheme.equals("https") ? 1 : 0));
    }

    private static String url(String transport, String scheme) {
        return scheme + "://localhost:" + port(transport, scheme) + "/where";
    }
}
