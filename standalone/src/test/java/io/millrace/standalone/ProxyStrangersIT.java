package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.Connectors;
import io.millrace.testkit.NeedsConnector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The proxy of the distribution, before Tomcat and httpd. It … */
@Timeout(600)
@Tag("wars")
final class ProxyStrangersIT {

    private static final int LARGE = 50_000_000;
    private static final int UPLOAD = 20_000_000;
    private static final Path H2LOAD = Path.of("/usr/bin/h2load");

    @TempDir
    private static Path base = Path.of("");

    private static Tomcat tomcat;

    @BeforeAll
    static void start() throws Exception {
        tomcat = Tomcat.serving(base.resolve("tomcat"));
    }

    @AfterAll
    static void stop() {
        tomcat.close();
    }

    private static Product proxy(String address, String... options) throws Exception {
        String[] words = new String[options.length + 3];
        words[0] = "proxy";
        words[1] = "--port=0";
        System.arraycopy(options, 0, words, 2, options.length);
        words[words.length - 1] = address;
        return Product.process().serving(words);
    }

    static List<String> schemes() {
        return Connectors.contain("ajp") ? List.of("http", "ajp") : List.of("http");
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void passesRequestsToTomcat(String scheme) throws Exception {
        try (Product proxy = proxy(tomcat.address(scheme))) {
            String said = Curl.run(proxy.url("/relayed/say?name=a%20b"));
            assertTrue(said.startsWith("GET HTTP/1.1 " + proxy.url("/relayed/say") + "\n"), said);
            assertTrue(said.contains("query name=a%20b\nname a b\nremote 127.0.0.1 true\n"), said);
            assertTrue(said.contains("server localhost " + proxy.ports().get(0) + "\nscheme http false\n"), said);
            assertTrue(said.contains("user null null false\n"), said);
            String fields = Curl.run(
                    "-H",
                    "X-Repeated: 1",
                    "-H",
                    "X-Repeated: 2",
                    "-b",
                    "a=ccc",
                    "-D",
                    "-",
                    proxy.url("/relayed/fields"));
            assertTrue(fields.contains("repeated [1, 2]\ncookie 3\n"), fields);
            assertTrue(fields.contains("X-Answer: one\r\nX-Answer: two\r\n"), fields);
            assertTrue(fields.contains("Set-Cookie: other=1\r\n"), fields);
            assertEquals(404, Curl.status(proxy.url("/relayed/none")));
            assertEquals(200, Curl.status("-I", proxy.url("/relayed/say")));
            assertEquals(
                    "PURGE", Curl.run("-X", "PURGE", proxy.url("/relayed/say")).split(" ", 2)[0]);
            assertEquals("later\n", Curl.run(proxy.url("/relayed/async")));
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void passesLargeBodiesToTomcatAndFromIt(String scheme) throws Exception {
        Path file = Files.writeString(base.resolve("upload"), "x".repeat(UPLOAD));
        CRC32 crc = new CRC32();
        crc.update(Files.readAllBytes(file));
        String read = "read " + UPLOAD + " " + crc.getValue() + "\n";
        try (Product proxy = proxy(tomcat.address(scheme))) {
            String sum = proxy.url("/relayed/sum");
            assertEquals(read, Curl.run("-T", file.toString(), sum));
            assertEquals(read, Curl.run("-T", file.toString(), "-H", "Transfer-Encoding: chunked", sum));
            assertEquals(read, Curl.run("-T", file.toString(), "-H", "Expect: 100-continue", sum));
            assertEquals("read 0 0\n", Curl.run("-X", "POST", sum));
            String size =
                    Curl.run("-o", "/dev/null", "-w", "%{size_download}", proxy.url("/relayed/large?size=" + LARGE));
            assertEquals(LARGE, Integer.parseInt(size.strip()));
            // a body that nobody reads
            assertEquals(404, Curl.status("-T", file.toString(), proxy.url("/relayed/none")));
            assertEquals(200, Curl.status(proxy.url("/relayed/say")));
        }
    }

    @Test
    @NeedsConnector("ajp")
    void tellsTomcatOfItsClientsTlsByAjp() throws Exception {
        CertificateAuthority authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeEc("front", "localhost", "localhost");
        authority.makeEc("client", "client of a test");
        Path front = base.resolve("front");
        Files.writeString(Files.createDirectories(front.resolve("conf")).resolve("server.xml"), """
                <Server>
                  <Service name="test">
                    <Connector port="0" SSLEnabled="true" scheme="https" secure="true">
                      <SSLHostConfig certificateVerification="optional" caCertificateFile="%s">
                        <Certificate certificateFile="%s" certificateKeyFile="%s"/>
                      </SSLHostConfig>
                    </Connector>
                    <Engine name="test" defaultHost="localhost">
                      <Host name="localhost"><Proxy backends="ajp://127.0.0.1:%d" secret="%s"/></Host>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(
                        authority.root(),
                        authority.certificate("front"),
                        authority.key("front"),
                        tomcat.ajpPort(),
                        Tomcat.SECRET));
        try (Product product = Product.process().serving("start", "--base=" + front)) {
            String said = Curl.run(
                    "--cacert",
                    authority.root().toString(),
                    "--cert",
                    authority.certificate("client").toString(),
                    "--key",
                    authority.key("client").toString(),
                    "https://localhost:" + product.ports().get(0) + "/relayed/say");
            assertTrue(said.contains("scheme https true\n"), said);
            assertTrue(said.contains("cipher TLS_AES_256_GCM_SHA384\nkey 256\n"), said);
            assertTrue(said.contains("certificate CN=client of a test\n"), said);
            assertTrue(said.contains("version TLSv1.3\n"), said);
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    @NeedsConnector("http2")
    void carriesTheLoadOfH2load(String scheme) throws Exception {
        assumeTrue(Files.isExecutable(H2LOAD), "h2load is not installed");
        try (Product proxy = proxy(tomcat.address(scheme), "--http2")) {
            for (String version : new String[] {"--h1", "-m10"}) {
                String report = Command.succeed(
                        H2LOAD.toString(), version, "-n2000", "-c10", proxy.url("/relayed/large?size=20000"));
                assertTrue(report.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"), report);
            }
        }
    }

    @Test
    @NeedsConnector("ajp")
    void saysInACheckWhetherAjpIsSpoken() throws Exception {
        Path conf = Files.createDirectories(base.resolve("checked/conf"));
        Path file = Files.writeString(
                conf.resolve("server.xml"), """
                <Server>
                  <Service name="test">
                    <Connector port="0"/>
                    <Engine name="test" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps">
                        <Proxy backends="ajp://127.0.0.1:%d ajp://127.0.0.1:%d" secret="%s"/>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(tomcat.ajpPort(), tomcat.httpPort(), Tomcat.SECRET));
        try (Product check = Product.process().launch("check", file.toString())) {
            check.exitStatus();
            check.awaitLine("  ajp://127.0.0.1:" + tomcat.ajpPort() + ": AJP/1.3");
            check.awaitLine("server.xml:6: warning: the backend ajp://127.0.0.1:" + tomcat.httpPort()
                    + " does not answer as AJP/1.3 does");
            assertEquals(
                    1,
                    check.lines().stream()
                            .filter(line -> line.contains("warning: the backend"))
                            .count());
        }
    }

    @Test
    void passesFilesOfHttpd() throws Exception {
        Path root = Files.createDirectories(base.resolve("httpd/files"));
        Files.writeString(root.resolve("hello.txt"), "hello from httpd\n");
        Files.write(root.resolve("large.bin"), new byte[LARGE]);
        Files.setPosixFilePermissions(
                base, PosixFilePermissions.fromString("rwxr-xr-x")); // httpd has a user of its own
        try (Httpd httpd = new Httpd.Builder(base.resolve("httpd"))
                        .plain(
                                "files",
                                "DocumentRoot " + root + "\n<Directory " + root
                                        + ">\nRequire all granted\nAllowOverride None\n</Directory>")
                        .start()
                        .awaitReady();
                Product proxy = proxy("http://127.0.0.1:" + httpd.port("files"))) {
            assertEquals("hello from httpd\n", Curl.run(proxy.url("/hello.txt")));
            assertEquals("from", Curl.run("-r", "6-9", proxy.url("/hello.txt")));
            String head = Curl.run("-I", proxy.url("/hello.txt"));
            assertTrue(head.contains("Content-Length: 17\r\n"), head);
            String tag = head.lines()
                    .filter(line -> line.startsWith("ETag: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("ETag: ".length());
            assertEquals(304, Curl.status("-H", "If-None-Match: " + tag, proxy.url("/hello.txt")));
            String size = Curl.run("-o", "/dev/null", "-w", "%{size_download}", proxy.url("/large.bin"));
            assertEquals(LARGE, Integer.parseInt(size.strip()));
        }
    }
}
