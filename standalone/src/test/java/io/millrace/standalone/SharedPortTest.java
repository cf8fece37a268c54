package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.handler.Responses;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.TlsLink;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A port that HTTP/1.1 and AJP share, on a transport of this installation … */
@NeedsConnector("ajp")
@ParameterizedClass
@MethodSource("io.millrace.testkit.Transports#installed")
final class SharedPortTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final byte[] PONG = {'A', 'B', 0, 1, 9};

    private final String transport;
    private final Timers timers = new Timers("test-timers");

    @TempDir
    private Path files = Path.of("");

    private Server server;

    SharedPortTest(String transport) {
        this.transport = transport;
    }

    /** A port for each implementation of TLS, in the order of {@link EitherTls}, then a plain one. */
    @BeforeEach
    void start() throws Exception {
        ServerBuilder builder = Server.builder().timers(timers);
        for (TlsImplementation implementation : Connectors.tls()) {
            builder.connector(connector().tls(by(implementation)).build());
        }
        server = builder.connector(connector().build())
                .handler(exchange -> Responses.text(exchange, 200, "hello"))
                .start();
    }

    private ConnectorBuilder connector() {
        Settings ajp = Connectors.with("ajp", Settings.DEFAULTS, "secret", "s");
        return Connector.builder()
                .transport(transport)
                .port(0)
                .protocols(List.of(
                        new Http1Protocol(Settings.DEFAULTS, "http"),
                        Connectors.protocol("ajp").create("http", ajp)));
    }

    private TlsOptions by(TlsImplementation implementation) throws Exception {
        Path both = TestCertificate.both(files.resolve(implementation + ".pem"));
        return TlsOptions.of(TlsHost.any().pem(both, both)).with(TlsOptions.IMPLEMENTATION, implementation);
    }

    @AfterEach
    void stop() {
        server.close();
        timers.close();
    }

    @Test
    void isServedInBothProtocols() throws Exception {
        try (RawClient browser = RawClient.connect(plainPort());
                RawClient frontEnd = RawClient.connect(plainPort())) {
            frontEnd.send(AjpPacket.ping());
            browser.send(GET);
            assertArrayEquals(PONG, frontEnd.read(PONG.length));
            assertTrue(browser.readTextToEnd().endsWith("hello"));
        }
    }

    @Test
    void recognisesThemWhenTheyComeByteByByte() throws Exception {
        try (RawClient browser = RawClient.connect(plainPort());
                RawClient frontEnd = RawClient.connect(plainPort())) {
            for (byte each : AjpPacket.ping()) {
                frontEnd.send(new byte[] {each});
            }
            for (byte each : GET.getBytes(StandardCharsets.US_ASCII)) {
                browser.send(new byte[] {each});
            }
            assertArrayEquals(PONG, frontEnd.read(PONG.length));
            assertTrue(browser.readTextToEnd().endsWith("hello"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.standalone.EitherTls#installed")
    void speaksWhatAlpnAgreedOn(EitherTls implementation) throws Exception {
        assertEquals("ajp/1.3", served(implementation, AjpPacket.ping(), PONG, "h2", "ajp/1.3"));
        byte[] ok = "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII);
        byte[] get = GET.getBytes(StandardCharsets.US_ASCII);
        assertEquals("http/1.1", served(implementation, get, ok, "ajp/1.3", "http/1.1")); // the server prefers it
    }

    @ParameterizedTest
    @MethodSource("io.millrace.standalone.EitherTls#installed")
    void recognisesWhoKnowsNoAlpn(EitherTls implementation) throws Exception {
        assertEquals("", served(implementation, AjpPacket.ping(), PONG));
        byte[] get = GET.getBytes(StandardCharsets.US_ASCII);
        assertEquals("", served(implementation, get, "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII)));
    }

    /** What ALPN agreed on counts, whatever the bytes look like. */
    @ParameterizedTest
    @MethodSource("io.millrace.standalone.EitherTls#installed")
    void offersOpensslEitherProtocol(EitherTls implementation) throws Exception {
        String http = openssl(implementation, "http/1.1");
        assertTrue(http.contains("ALPN protocol: http/1.1") && http.contains("HTTP/1.1 200 "), http);
        String ajp = openssl(implementation, "ajp/1.3");
        assertTrue(ajp.contains("ALPN protocol: ajp/1.3"), ajp);
        assertFalse(ajp.contains("HTTP/1.1 "), ajp);
    }

    private int port(EitherTls implementation) {
        return implementation.port(server.ports());
    }

    private int plainPort() {
        return server.ports().get(EitherTls.installed().size());
    }

    /** Sends bytes, and compares the beginning of what comes back. Answers what ALPN has agreed on. */
    private String served(EitherTls implementation, byte[] sent, byte[] expected, String... alpn) throws Exception {
        try (TestTls tls = TestTls.create();
                RawClient client = RawClient.connect(port(implementation))) {
            SSLEngine engine = tls.clientEngine();
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setApplicationProtocols(alpn);
            engine.setSSLParameters(parameters);
            TlsLink link = new TlsLink(new SocketLink(client, new BufferPool(1)), engine);
            link.send(sent);
            byte[] received = link.receive();
            assertEquals(text(expected), text(received).substring(0, Math.min(received.length, expected.length)));
            return engine.getApplicationProtocol();
        }
    }

    private String openssl(EitherTls implementation, String alpn) throws Exception {
        return Command.run(
                        GET,
                        List.of(
                                "openssl",
                                "s_client",
                                "-ign_eof",
                                "-connect",
                                "127.0.0.1:" + port(implementation),
                                "-alpn",
                                alpn))
                .output();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
