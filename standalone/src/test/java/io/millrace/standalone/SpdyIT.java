package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.squareup.okhttp.Protocol;
import com.squareup.okhttp.internal.framed.FramedConnection;
import com.squareup.okhttp.internal.framed.FramedStream;
import com.squareup.okhttp.internal.framed.Header;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.Okio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SPDY/3.1 by the product, as OkHttp sees it, and the protocols beside it, as curl sees them. */
@NeedsConnector({"spdy", "http2"})
final class SpdyIT {

    private static final Path STYLE = Path.of("../examples/src/main/webapp/style.css");

    private static final Pattern LISTENING = Pattern.compile("Listening on \\w+://127\\.0\\.0\\.1:(\\d+) ");

    private static final String CERTIFICATE = """
            <SSLHostConfig>
              <Certificate certificateKeystoreFile='keys.p12' certificateKeystorePassword='testkit'/>
            </SSLHostConfig>
            """;

    /** Beside each other, SPDY the most preferred. */
    private static final String BESIDE = """
            <UpgradeProtocol className='io.millrace.connector.spdy.SpdyProtocol'/>
            <UpgradeProtocol className='org.apache.coyote.http2.Http2Protocol'/>
            """;

    /** What {@link #use} leaves in the access log. */
    private static final List<String> LOGGED = List.of(
            "GET /hello SPDY/3.1 200",
            "GET /info SPDY/3.1 200",
            "GET /style.css SPDY/3.1 200",
            "GET /there-is-none SPDY/3.1 404",
            "POST /upload SPDY/3.1 200");

    /** More than any window. */
    private static final String UPLOADED = "0123456789".repeat(300_000);

    @TempDir
    private Path base = Path.of("");

    @Test
    void isServedAloneAndBesideHttpWithAndWithoutTls() throws Exception {
        List<String> connectors = new ArrayList<>(List.of(
                connector("protocol='SPDY/3.1'", ""),
                connector("protocol='SPDY/3.1' SSLEnabled='true'", CERTIFICATE),
                connector("", BESIDE)));
        List<String> logged = new ArrayList<>();
        for (EitherTls tls : EitherTls.installed()) {
            connectors.add(connector("SSLEnabled='true' sslImplementation='" + tls + "'", BESIDE + CERTIFICATE));
        }
        configure(connectors);
        try (Product product = Product.serving("start", "--base=" + base)) {
            List<Integer> ports = ports(product);
            assertEquals(connectors.size(), ports.size(), product.output());
            for (int i = 0; i < ports.size(); i++) {
                boolean secure = connectors.get(i).contains("SSLEnabled");
                use(ports.get(i), secure);
                logged.addAll(LOGGED);
                if (connectors.get(i).contains(BESIDE)) {
                    assertCurlSees("HTTP/1.1", ports.get(i), secure, "--http1.1");
                    assertCurlSees("HTTP/2.0", ports.get(i), secure, secure ? "--http2" : "--http2-prior-knowledge");
                    logged.addAll(List.of("GET /info HTTP/1.1 200", "GET /info HTTP/2.0 200"));
                }
            }
            assertEquals(0, product.terminate().exitStatus(), product.output());
        }
        assertEquals(
                logged.stream().sorted().toList(), accessLog().stream().sorted().toList());
    }

    /** URLs are printed of ports for browsers only. */
    private static List<Integer> ports(Product product) {
        return product.lines().stream()
                .map(LISTENING::matcher)
                .filter(Matcher::find)
                .map(line -> Integer.valueOf(line.group(1)))
                .toList();
    }

    private static String connector(String attributes, String content) {
        return "<Connector port='0' address='127.0.0.1' " + attributes + ">\n" + content + "</Connector>\n";
    }

    private void configure(List<String> connectors) throws IOException, GeneralSecurityException {
        TestCertificate.keystore(base.resolve("keys.p12"));
        TestCertificate.certificate(base.resolve("trusted.pem"));
        Files.copy(
                Product.EXAMPLES,
                Files.createDirectories(base.resolve("webapps")).resolve("ROOT.war"));
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service>" + String.join("", connectors) + """
                        <Engine><Host>
                          <Valve className='org.apache.catalina.valves.AccessLogValve' pattern='%r %s'/>
                        </Host></Engine></Service></Server>
                        """);
    }

    private List<String> accessLog() throws IOException {
        try (Stream<Path> files = Files.list(base.resolve("logs"))) {
            Path log = files.filter(file -> file.getFileName().toString().contains("access"))
                    .findFirst()
                    .orElseThrow();
            return Files.readAllLines(log);
        }
    }

    /** The page repeats the request line as the servlet has it. */
    private void assertCurlSees(String protocol, int port, boolean secure, String version) throws Exception {
        String url = (secure ? "https" : "http") + "://localhost:" + port + "/info";
        String page = Curl.run(version, "--cacert", base.resolve("trusted.pem").toString(), url);
        assertTrue(page.contains("GET /info " + protocol + "<"), page);
    }

    // ---- OkHttp

    /** What {@link #LOGGED} says, on one connection. */
    private static void use(int port, boolean secure) throws Exception {
        try (Socket socket = secure ? tlsSocket(port) : new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) Deadline.DEFAULT.toMillis());
            try (FramedConnection connection = new FramedConnection.Builder(true)
                    .socket(socket)
                    .protocol(Protocol.SPDY_3)
                    .build()) {
                connection.sendConnectionPreface();
                String scheme = secure ? "https" : "http";
                assertEquals("200 Hello from web.xml\n", get(connection, scheme, "/hello"));
                String info = get(connection, scheme, "/info");
                assertTrue(info.contains("GET /info SPDY/3.1<"), info);
                assertEquals("200 " + Files.readString(STYLE), get(connection, scheme, "/style.css"));
                assertTrue(get(connection, scheme, "/there-is-none").startsWith("404 "));
                String uploaded = upload(connection, scheme);
                assertTrue(uploaded.startsWith("200 part=f file=f.txt size=" + UPLOADED.length()), uploaded);
            }
        }
    }

    private static Socket tlsSocket(int port) throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(TestTls.keyStore());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1", "spdy/3.1"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        assertEquals("spdy/3.1", socket.getApplicationProtocol());
        return socket;
    }

    private static List<Header> head(String method, String scheme, String path) {
        return new ArrayList<>(List.of(
                new Header(":method", method),
                new Header(":path", path),
                new Header(":version", "HTTP/1.1"),
                new Header(":host", "localhost"),
                new Header(":scheme", scheme)));
    }

    private static String get(FramedConnection connection, String scheme, String path) throws IOException {
        return response(connection.newStream(head("GET", scheme, path), false, true));
    }

    private static String upload(FramedConnection connection, String scheme) throws IOException {
        List<Header> head = head("POST", scheme, "/upload");
        head.add(new Header("content-type", "multipart/form-data; boundary=b"));
        FramedStream stream = connection.newStream(head, true, true);
        try (BufferedSink body = Okio.buffer(stream.getSink())) {
            body.writeUtf8("--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n\r\n");
            body.writeUtf8(UPLOADED).writeUtf8("\r\n--b--\r\n");
        }
        return response(stream);
    }

    /** The status and the body. */
    private static String response(FramedStream stream) throws IOException {
        String status = stream.getResponseHeaders().stream()
                .filter(field -> field.name.utf8().equals(":status"))
                .map(field -> field.value.utf8().substring(0, 3))
                .findFirst()
                .orElseThrow();
        try (BufferedSource body = Okio.buffer(stream.getSource())) {
            return status + " " + body.readString(UTF_8);
        }
    }
}
