package io.millrace.standalone;

import static io.millrace.standalone.OpensslClient.LOCALHOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each transport of one server, plain and with either kind of TLS, asked by curl, openssl and wrk, … */
@NullUnmarked
final class TransportsIT {

    private static final int EIGHT_MEBIBYTES = 8 << 20;

    @TempDir
    private static Path base;

    private static AllTransports ports;

    @BeforeAll
    static void start() throws Exception {
        ports = AllTransports.start(base);
    }

    @AfterAll
    static void stop() {
        ports.close();
    }

    static Stream<String> transports() {
        return AllTransports.TLS.stream();
    }

    static Stream<Arguments> plainAndTls() {
        return Stream.concat(
                AllTransports.TRANSPORTS.stream().map(each -> Arguments.of(each, "http")),
                transports().map(each -> Arguments.of(each, "https")));
    }

    static Stream<Arguments> versions() {
        return transports().flatMap(each -> Stream.of(Arguments.of(each, "1.2"), Arguments.of(each, "1.3")));
    }

    @ParameterizedTest
    @MethodSource("plainAndTls")
    void servesAPage(String transport, String scheme) throws Exception {
        assertTrue(ports.curl(ports.url(transport, scheme, "/hello")).contains("Hello"));
    }

    @ParameterizedTest
    @MethodSource("plainAndTls")
    void takesAnUpload(String transport, String scheme) throws Exception {
        Path file = base.resolve("upload-" + transport + "-" + scheme);
        byte[] content = new byte[EIGHT_MEBIBYTES + 1];
        new Random(1).nextBytes(content);
        Files.write(file, content);
        String answer = ports.curl("-F", "file=@" + file, ports.url(transport, scheme, "/upload"));
        assertTrue(answer.contains("size=" + content.length + " sha256=" + sha256(content)), answer);
    }

    @ParameterizedTest
    @MethodSource("plainAndTls")
    void sendsEightMebibytes(String transport, String scheme) throws Exception {
        Path file = base.resolve("download-" + transport + "-" + scheme);
        ports.curl("-o", file.toString(), ports.url(transport, scheme, "/download?size=" + EIGHT_MEBIBYTES));
        assertTrue(Arrays.equals(new byte[EIGHT_MEBIBYTES], Files.readAllBytes(file)));
    }

    @ParameterizedTest
    @MethodSource("plainAndTls")
    void answersALoadOfConnectionsWithoutAnError(String transport, String scheme) throws Exception {
        int seconds = scheme.equals("https") ? 2 : 1; // forty handshakes take a second on a busy machine
        try (Wrk wrk = Wrk.start(40, seconds, ports.url(transport, scheme, "/hello"))) {
            wrk.assertNothingFailed();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void tellsTheApplicationOfTls(String transport) throws Exception {
        String plain = ports.curl(ports.url(transport, "http", "/info"));
        assertTrue(plain.contains(row("Secure", "false")) && plain.contains(row("Cipher suite", "null")), plain);
        String secure = ports.curl(ports.url(transport, "https", "/info"));
        assertTrue(secure.contains(row("Secure", "true")) && secure.contains(row("Cipher suite", "TLS_")), secure);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void speaksTls(String transport, String version) throws Exception {
        String said = ports.openssl(transport).hello(LOCALHOST, "-verify_return_error", flag(version));
        assertTrue(said.contains("New, TLSv" + version), said);
        assertTrue(said.contains("Verify return code: 0 (ok)"), said);
        assertAnswered(said);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void resumesASession(String transport, String version) throws Exception {
        Path session = base.resolve("session-" + transport + "-" + version);
        OpensslClient client = ports.openssl(transport);
        assertAnswered(client.hello(LOCALHOST, flag(version), "-sess_out", session.toString()));
        String said = client.hello(LOCALHOST, flag(version), "-sess_in", session.toString());
        assertTrue(said.contains("Reused, TLSv" + version), said);
        assertAnswered(said);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void refusesTls11(String transport) throws Exception {
        Command openssl = ports.openssl(transport).get(LOCALHOST, "/hello", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0");
        assertFalse(openssl.status() == 0, openssl.output());
        assertTrue(openssl.output().contains("alert protocol version"), openssl.output());
    }

    @ParameterizedTest
    @MethodSource("transports")
    void choosesTheCertificateByTheNameAsked(String transport) throws Exception {
        OpensslClient client = ports.openssl(transport);
        String other = client.hello("shop.other.test", "-verify_hostname", "shop.other.test");
        assertTrue(other.contains("subject=CN = other"), other);
        assertTrue(other.contains("Verify return code: 0 (ok)"), other);
        String unknown = client.hello("unknown.test");
        assertTrue(unknown.contains("subject=CN = localhost"), unknown);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void requiresAClientCertificateWhereItIsToldTo(String transport, String version) throws Exception {
        OpensslClient client = ports.openssl(transport);
        Command without = client.get("required.test", "/hello", flag(version));
        assertFalse(without.output().contains("HTTP/1.1 200"), without.output());
        assertTrue(without.output().contains(":SSL alert number "), without.output());
        assertKnown(client, "required.test", version);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void takesAClientCertificateWhereItIsOptional(String transport, String version) throws Exception {
        OpensslClient client = ports.openssl(transport);
        String without = client.hello("optional.test", flag(version));
        assertTrue(without.contains("Acceptable client certificate CA names"), without);
        assertAnswered(without);
        assertKnown(client, "optional.test", version);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void agreesOnHttp11ByAlpn(String transport) throws Exception {
        String said = ports.openssl(transport).hello(LOCALHOST, "-alpn", "h2,http/1.1");
        assertTrue(said.contains("ALPN protocol: http/1.1"), said);
        assertAnswered(said);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void answersPlainHttpOnItsTlsPortWith400(String transport) throws Exception {
        assertEquals(400, Curl.status("http://localhost:" + ports.tlsPort(transport) + "/hello"));
    }

    /** As the examples print it, up to the beginning of the value. */
    private static String row(String name, String value) {
        return "<th>" + name + "</th><td>" + value;
    }

    private static void assertAnswered(String said) {
        assertTrue(said.contains("HTTP/1.1 200") && said.contains("Hello from web.xml"), said);
    }

    /** The application sees who the client is. */
    private static void assertKnown(OpensslClient client, String host, String version) throws Exception {
        CertificateAuthority authority = ports.authority();
        String certificate = authority.certificate("client").toString();
        String key = authority.key("client").toString();
        String said = client.get(host, "/info", flag(version), "-cert", certificate, "-key", key)
                .output();
        assertTrue(said.contains(row("Client certificate", "CN=client of a test")), said);
    }

    private static String flag(String version) {
        return "-tls" + version.replace('.', '_');
    }

    private static String sha256(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}
