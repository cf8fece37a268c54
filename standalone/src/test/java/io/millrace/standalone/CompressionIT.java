package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.ContractResponse;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tomcat's attributes for compression, on the product: files of 1,000 and 5,000 bytes, on every transport and protocol. */
@NullUnmarked
final class CompressionIT {

    private static final List<String> TRANSPORTS = AllTransports.TRANSPORTS;
    private static final String BIG = "to be or not to be ".repeat(300).substring(0, 5_000);
    private static final String SMALL = BIG.substring(0, 1_000);

    /** Behind the HTTP connectors of all transports. */
    private static final int FORCED = TRANSPORTS.size();

    private static final int NARROW = FORCED + 1;
    private static final int OFF = FORCED + 2;
    private static final int UNPACKING = FORCED + 3;

    @TempDir
    private static Path base;

    private static Product product;

    @BeforeAll
    static void start() throws IOException {
        List<String> connectors = new ArrayList<>();
        TRANSPORTS.forEach(transport -> connectors.add("protocol='" + transport + "' compression='on'"));
        connectors.add("compression='force' noCompressionUserAgents='.*Old.*'");
        connectors.add("compression='500' compressibleMimeType='text/css' noCompressionUserAgents='.*Old.*'");
        connectors.add("");
        connectors.add("decompressionMaxSize='100000'");
        if (Connectors.contain("ajp") && Connectors.contain("nio")) {
            connectors.add("protocol='AJP/1.3' secretRequired='false' compression='on' compressionMinSize='2000'");
            connectors.add("protocol='org.apache.coyote.ajp.AjpNioProtocol' secretRequired='false' compression='on'");
        }
        String xml = String.join(
                "",
                connectors.stream()
                        .map(connector -> "<Connector port='0' address='127.0.0.1' " + connector + "/>\n")
                        .toList());
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service>\n" + xml + "<Engine><Host/></Engine></Service></Server>\n");
        Path root = Files.createDirectories(base.resolve("webapps/ROOT"));
        Files.writeString(root.resolve("big.html"), BIG);
        Files.writeString(root.resolve("length.jsp"), """
                <% byte[] all = request.getInputStream().readAllBytes(); %><%= all.length + " " + all[0] %>
                """);
        Files.writeString(root.resolve("small.html"), SMALL);
        Files.writeString(root.resolve("big.css"), BIG);
        Files.writeString(root.resolve("big.png"), BIG);
        product = Product.serving("start", "--base=" + base);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    static Stream<String> transports() {
        return TRANSPORTS.stream();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void workOnEveryTransport(String transport) throws Exception {
        int connector = TRANSPORTS.indexOf(transport);
        for (int i = 0; i < 8; i++) { // known to the cache in the end
            assertTrue(isCompressed(connector, "/big.html"));
            assertFalse(isCompressed(connector, "/small.html"), "below 2,048 bytes");
            assertFalse(isCompressed(connector, "/big.png"), "of no use");
            assertEquals(BIG, Curl.run("--compressed", url(connector, "/big.html")));
        }
    }

    @Test
    void canBeForced() throws Exception {
        assertTrue(isCompressed(FORCED, "/small.html"));
        assertTrue(isCompressed(FORCED, "/big.png"));
        assertTrue(isCompressed(FORCED, "/big.png", "-A", "Some Old Browser"));
    }

    @Test
    void nameTypesSizesAndClients() throws Exception {
        assertTrue(isCompressed(NARROW, "/big.css"));
        assertFalse(isCompressed(NARROW, "/big.html"), "another type");
        assertFalse(isCompressed(NARROW, "/big.css", "-A", "Some Old Browser"));
        assertFalse(isCompressed(OFF, "/big.css"), "by default");
    }

    /** A bomb: a thousandth of what it becomes. */
    @Test
    void limitWhatRequestsBecome() throws Exception {
        Path fits = gzip("fits", 100_000);
        Path bomb = gzip("bomb", 100 << 20);
        assertEquals("100000 0", post(UNPACKING, fits));
        assertEquals("413", post(UNPACKING, bomb));
        assertEquals("100000 0", post(UNPACKING, fits), "it goes on");
        assertEquals(Files.size(fits) + " 31", post(OFF, fits), "by default it arrives as it was sent");
    }

    private static Path gzip(String name, int zeros) throws IOException {
        Path file = base.resolve(name);
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(new byte[zeros]);
        }
        return file;
    }

    /** The length of the body as the application sees it, and its first byte; the status if that is an error. */
    private static String post(int connector, Path body) throws Exception {
        String answer = Curl.run(
                "-H",
                "Content-Encoding: gzip",
                "-H",
                "Content-Type: application/octet-stream",
                "-H",
                "Expect:",
                "--data-binary",
                "@" + body,
                "-w",
                " %{http_code}",
                url(connector, "/length.jsp"));
        String text = answer.strip();
        return text.endsWith(" 200") ? text.substring(0, text.length() - 4).strip() : text.substring(text.length() - 3);
    }

    @Test
    @NeedsConnector({"ajp", "nio"})
    void workOverAjp() throws Exception {
        List<Integer> ports = ajpPorts();
        assertEquals(2, ports.size());
        for (int port : ports) {
            try (RawClient socket = RawClient.connect(port)) {
                AjpContractClient client =
                        new AjpContractClient(new SocketLink(socket, new BufferPool(1 << 20)), "", 8192);
                for (int i = 0; i < 8; i++) {
                    ContractResponse big = get(client, "/big.html", "gzip");
                    assertEquals("gzip", big.headers().get("Content-Encoding"));
                    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(big.body()))) {
                        assertEquals(BIG, new String(in.readAllBytes(), ISO_8859_1));
                    }
                    assertEquals(SMALL, get(client, "/small.html", "gzip").text());
                    assertEquals(BIG, get(client, "/big.html", "identity").text());
                }
            }
        }
    }

    private static ContractResponse get(AjpContractClient client, String path, String accepted) throws IOException {
        client.send(ContractRequest.of("GET", path).with("accept-encoding", accepted));
        ContractResponse answer = client.receive();
        assertEquals(200, answer.status());
        return answer;
    }

    private static List<Integer> ajpPorts() {
        List<Integer> ports = new ArrayList<>();
        for (String line : product.lines()) {
            int at = line.indexOf("ajp://127.0.0.1:");
            if (at >= 0) {
                ports.add(Integer.valueOf(line.substring(at + 16).replaceAll("\\D.*", "")));
            }
        }
        return ports;
    }

    private static boolean isCompressed(int connector, String path, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("-o", "/dev/null", "-D", "-", "-H", "Accept-Encoding: gzip", url(connector, path)));
        arguments.addAll(List.of(more));
        String head = Curl.run(arguments.toArray(String[]::new));
        assertTrue(head.startsWith("HTTP/1.1 200"), head);
        return head.contains("Content-Encoding: gzip");
    }

    private static String url(int connector, String path) {
        return "http://localhost:" + product.ports().get(connector) + path;
    }
}
