package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind Apache httpd, set up as the user guide says, by each front on the default transport, and by one on each of the others, it … */
@NeedsConnector("ajp")
@NullUnmarked
final class BehindHttpdIT {

    private static final int HUGE = 50_000_000;

    @TempDir
    private static Path base;

    private static HttpdFronts fronts;

    @BeforeAll
    static void start() throws Exception {
        // httpd's own processes have another user
        base.toFile().setExecutable(true, false);
        base.toFile().setReadable(true, false);
        fronts = HttpdFronts.start(base);
    }

    @AfterAll
    static void stop() {
        fronts.close();
    }

    static Stream<Arguments> all() {
        return Transports.with(List.of("jk-http", "jk-https", "ajp-http", "ajp-https")).stream();
    }

    static Stream<Arguments> plain() {
        return all().filter(each -> String.valueOf(each.get()[1]).endsWith("-http"));
    }

    static Stream<Arguments> tls() {
        return all().filter(each -> String.valueOf(each.get()[1]).endsWith("-https"));
    }

    static Stream<String> transports() {
        return AllTransports.TRANSPORTS.stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void knowsTheClientAndWhatItAskedFor(String transport, String front) throws Exception {
        String query = "name=a%26b%3D%C3%A9+x;y=1&other=%2F%3F%5B";
        String answer = fronts.curl(transport, front, "/relayed/say?" + query, "--interface", "127.0.0.2", "--http1.1");
        String scheme = front.endsWith("s") ? "https" : "http";
        int port = fronts.port(transport, front);
        assertHas(answer, "GET HTTP/1.1 " + scheme + "://localhost:" + port + "/relayed/say");
        assertHas(answer, "query " + query);
        assertHas(answer, "name a&b=\u00e9 x;y=1");
        assertHas(answer, "remote 127.0.0.2 true");
        assertHas(answer, "local 127.0.0.1 " + port);
        assertHas(answer, "server localhost " + port);
        assertHas(answer, "scheme " + scheme + " " + scheme.equals("https"));
        assertHas(answer, "user null null false");
    }

    @ParameterizedTest
    @MethodSource("tls")
    void knowsTheTlsThatEndedBeforeIt(String transport, String front) throws Exception {
        String answer = fronts.curl(transport, front, "/relayed/say", "--tlsv1.3");
        assertTrue(answer.contains("cipher TLS_AES_"), answer);
        assertTrue(answer.contains("key 256") || answer.contains("key 128"), answer);
        assertHas(answer, "version TLSv1.3");
        assertHas(answer, "certificate none");
        CertificateAuthority authority = fronts.authority();
        String known = fronts.curl(
                transport,
                front,
                "/relayed/say",
                "--cert",
                authority.certificate("client").toString(),
                "--key",
                authority.key("client").toString());
        assertHas(known, "certificate CN=client of a test");
        String older = fronts.curl(transport, front, "/relayed/say", "--tls-max", "1.2");
        assertHas(older, "version TLSv1.2");
        assertTrue(older.matches("(?s).*\nsession \\p{XDigit}{64}\n.*"), older);
    }

    @ParameterizedTest
    @MethodSource("tls")
    void servesClientsThatSpeakHttp2(String transport, String front) throws Exception {
        String answer = fronts.curl(transport, front, "/relayed/say", "--http2");
        assertTrue(answer.startsWith("GET HTTP/2.0 https://"), answer);
    }

    @ParameterizedTest
    @MethodSource("all")
    void passesFieldsAndCookiesOnBothWays(String transport, String front) throws Exception {
        String answer = fronts.curl(
                transport,
                front,
                "/relayed/fields",
                "-i",
                "--http1.1",
                "-H",
                "X-Repeated: 1",
                "-H",
                "X-Repeated: 2",
                "-b",
                "long=" + "c".repeat(1000));
        assertHas(answer, "repeated [1, 2]");
        assertHas(answer, "cookie 1000");
        assertHas(answer, "X-Answer: one");
        assertHas(answer, "X-Answer: two");
        assertHas(answer, "Set-Cookie: long=" + "c".repeat(1000));
        assertHas(answer, "Set-Cookie: other=1");
    }

    @ParameterizedTest
    @MethodSource("all")
    void readsBodiesOfAnySizeInBothForms(String transport, String front) throws Exception {
        for (int size : List.of(0, 1, 8186, 8187, 100_000)) {
            assertReads(transport, front, size, "");
            assertReads(transport, front, size, "Transfer-Encoding: chunked");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("soak")
    void readsHugeBodiesInBothForms(String transport, String front) throws Exception {
        assertReads(transport, front, HUGE, "");
        assertReads(transport, front, HUGE, "Transfer-Encoding: chunked");
    }

    @ParameterizedTest
    @MethodSource("all")
    void sendsFiveMegabytesAndTheirLength(String transport, String front) throws Exception {
        Path file = Files.createTempFile(base, "download", "");
        String path = "/relayed/large?size=5000000";
        fronts.curl(transport, front, path, "-o", file.toString());
        assertEquals(5_000_000, Files.size(file));
        String head = fronts.curl(transport, front, path, "--head", "--http1.1");
        assertTrue(head.startsWith("HTTP/1.1 200"), head);
        if (front.startsWith("jk")) { // some versions of mod_proxy_ajp drop it
            assertHas(head, "Content-Length: 5000000");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void sendsFilesWholeAndInParts(String transport, String front) throws Exception {
        Path got = Files.createTempFile(base, "file", "");
        for (String name : List.of("large", "small", "empty")) {
            fronts.curl(transport, front, "/files/" + name, "-o", got.toString());
            assertEquals(-1, Files.mismatch(HttpdFronts.file(base, name), got), name);
        }
        fronts.curl(transport, front, "/files/large", "-r", "100000-3999998", "-o", got.toString());
        byte[] large = Files.readAllBytes(HttpdFronts.file(base, "large"));
        assertArrayEquals(Arrays.copyOfRange(large, 100_000, 3_999_999), Files.readAllBytes(got));
    }

    @ParameterizedTest
    @MethodSource("all")
    void passesOnAtOnceWhatAServletFlushed(String transport, String front) throws Exception {
        Path file = base.resolve("until-" + transport + "-" + front);
        Process curl = fronts.begin(transport, front, "/relayed/parts?until=" + file);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(curl.getInputStream(), StandardCharsets.US_ASCII))) {
            assertEquals("first", lines.readLine());
            Files.createFile(file);
            assertEquals("second", lines.readLine());
        }
        assertEquals(0, curl.waitFor());
    }

    @ParameterizedTest
    @MethodSource("all")
    void servesAsynchronousServlets(String transport, String front) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertEquals("later\n", fronts.curl(transport, front, "/relayed/async"));
        }
    }

    /** One that is killed: the rest of what was sent to it is unread. */
    @ParameterizedTest
    @MethodSource("all")
    void noticesThatAClientHasGone(String transport, String front) throws Exception {
        int before = aborted(transport, front);
        Process curl = fronts.begin(transport, front, "/relayed/endless");
        assertEquals(50_000, curl.getInputStream().readNBytes(50_000).length);
        curl.destroyForcibly();
        Deadline.await("the servlet to be told", () -> aborted(transport, front) > before);
    }

    @ParameterizedTest
    @MethodSource("plain")
    void saysThatThereIsNoUpgrade(String transport, String front) throws Exception {
        String answer = fronts.curl(
                transport, front, "/relayed/upgrade", "-i", "-H", "Upgrade: websocket", "-H", "Connection: Upgrade");
        assertTrue(answer.startsWith("HTTP/1.1 501 "), answer);
        assertTrue(answer.contains("configure the front end to send these requests over HTTP"), answer);
        fronts.server().product().awaitLine("MILLRACE5203");
    }

    @ParameterizedTest
    @MethodSource("all")
    void refusesAFrontEndWithAnotherSecretOrNone(String transport, String front) throws Exception {
        assertForbidden(transport, front.replace("-", "-wrong-secret-"));
        assertForbidden(transport, front.replace("-", "-no-secret-"));
        fronts.server().product().awaitLine("MILLRACE5201");
    }

    @ParameterizedTest
    @MethodSource("transports")
    void refusesAnAttributeThatNobodyAllowed(String transport) throws Exception {
        assertForbidden(transport, "attribute");
    }

    @Test
    void believesAFrontEndInUsersAndAttributesWhereItIsToldTo() throws Exception {
        String answer = fronts.curl("users", "trusted", "/relayed/say", "-u", "ann:pw");
        assertHas(answer, "user ann Basic false");
        assertHas(answer, "attribute hello");
    }

    /** Which need packets of several times the usual size. */
    @ParameterizedTest
    @ValueSource(strings = {"trusted", "trusted-jk"})
    void passesLargeFieldsBothWaysIfBothEndsHaveLargePackets(String front) throws Exception {
        String large = "X-Large: " + "x".repeat(30_000);
        assertHas(fronts.curl("users", front, "/relayed/say", "-i", "-u", "ann:pw", "-H", large), large);
    }

    @Test
    void knowsTheRolesOfUsersThatTheFrontEndHasLoggedIn() throws Exception {
        assertHas(fronts.curl("users", "authorized", "/relayed/say", "-u", "ann:pw"), "user ann Basic true");
        assertHas(fronts.curl("users", "authorized", "/relayed/say", "-u", "bob:pw"), "user null null false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void servesBehindModProxyHttpAsWell(String scheme) throws Exception {
        String front = "http-" + scheme;
        String answer = fronts.curl(
                Transports.byDefault(), front, "/relayed/say?name=x", "--interface", "127.0.0.2", "--http1.1");
        int port = fronts.port(Transports.byDefault(), front);
        assertHas(answer, "GET HTTP/1.1 " + scheme + "://localhost:" + port + "/relayed/say");
        assertHas(answer, "remote 127.0.0.2 true");
        assertHas(answer, "scheme " + scheme + " " + scheme.equals("https"));
    }

    @Test
    void saysOnceThatSomebodySendsWhatIsNoPacket() throws Exception {
        Product product = fronts.server().product();
        for (int i = 0; i < 3; i++) {
            try (RawClient client = RawClient.connect(HttpdFronts.ajpPort(fronts.server(), 0))) {
                client.send("GET / HTTP/1.1\r\n\r\n");
                client.awaitClose();
            }
        }
        product.awaitLine("MILLRACE5200");
        assertEquals(
                1,
                product.lines().stream()
                        .filter(line -> line.contains("MILLRACE5200"))
                        .count());
    }

    @Test
    void isUpgradedBehindModProxyHttp() throws Exception {
        try (RawClient client = RawClient.connect(fronts.port(Transports.byDefault(), "http-http"))) {
            List<String> head = List.of(
                    "GET /relayed/upgrade HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade");
            client.send(String.join("\r\n", head) + "\r\n\r\n");
            assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 101 "));
            assertEquals("upgraded\n", client.readUntil("\n"));
        }
    }

    private static void assertForbidden(String transport, String front) throws Exception {
        String answer = fronts.curl(transport, front, "/relayed/say", "-o", "/dev/null", "-w", "%{http_code}");
        assertEquals("403", answer, front);
    }

    private static void assertReads(String transport, String front, int size, String form) throws Exception {
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
            body[i] = (byte) (i * 31);
        }
        CRC32 crc = new CRC32();
        crc.update(body);
        Path file = Files.write(base.resolve("upload-" + size), body);
        String answer = fronts.curl(
                transport,
                front,
                "/relayed/sum",
                "--http1.1",
                "-H",
                "Expect:",
                "-H",
                form.isEmpty() ? "X-None: none" : form,
                "--data-binary",
                "@" + file);
        assertEquals("read " + size + " " + crc.getValue() + "\n", answer);
    }

    private static int aborted(String transport, String front) {
        try {
            String answer = fronts.curl(transport, front, "/relayed/aborted");
            return Integer.parseInt(answer.replaceAll("\\D", ""));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertHas(String answer, String line) {
        assertTrue(answer.lines().anyMatch(line::equals), () -> "no line \"" + line + "\" in\n" + answer);
        assertFalse(answer.isEmpty());
    }
}
