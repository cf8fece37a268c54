package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.TestTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS between the proxy of the distribution and its backends, by each implementation … */
@NeedsConnector({"http2", "openssl"})
@NullUnmarked
@Timeout(300)
final class BackendTlsIT {

    @TempDir
    private static Path base;

    private static Product backend;

    /** One that demands a certificate, for all tests. */
    @BeforeAll
    static void startBackend() throws Exception {
        TestTls.writePem(base.resolve("certificate.pem"), base.resolve("key.pem"));
        for (String directory :
                List.of("backend/webapps/ROOT/shown", "backend/webapps/ROOT/hidden", "open/webapps/ROOT")) {
            Path made = Files.createDirectories(base.resolve(directory));
            Files.writeString(made.resolve("hello.txt"), "hello from behind\n");
        }
        write("backend", """
                <Connector port="0" SSLEnabled="true" scheme="https" secure="true">
                  <SSLHostConfig certificateVerification="required" caCertificateFile="../certificate.pem">
                    <Certificate certificateFile="../certificate.pem" certificateKeyFile="../key.pem"/>
                  </SSLHostConfig>
                  <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol"/>
                </Connector>
                """, "");
        backend = serving("backend");
    }

    @AfterAll
    static void stopBackend() {
        backend.close();
    }

    private static Path write(String name, String connector, String inHost) throws Exception {
        Path file = Files.createDirectories(base.resolve(name + "/conf")).resolve("server.xml");
        Files.createDirectories(base.resolve(name + "/webapps"));
        Files.writeString(file, """
                <Server>
                  <Service name="test">
                    %s
                    <Engine name="test" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps">%s</Host>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(connector, inHost));
        return file;
    }

    /** A base directory of a proxy with these elements. */
    private static Path proxy(String... elements) throws Exception {
        return write("proxy", "<Connector port=\"0\"/>", String.join("", elements));
    }

    private static String element(String scheme, String more) {
        return "<Proxy backends=\"" + scheme + "://localhost:" + backend.ports().get(0) + "\" " + more + "/>";
    }

    private static Product serving(String name) throws Exception {
        return Product.serving("start", "--base", base.resolve(name).toString());
    }

    @ParameterizedTest
    @CsvSource({"https, openssl", "h2, openssl", "https, jsse", "h2, auto"})
    void showsACertificateToBackendsThatDemandOne(String scheme, String implementation) throws Exception {
        String more = " sslImplementation=\"" + implementation + "\" caFile=\"../certificate.pem\"";
        proxy(
                element(
                        scheme,
                        "path=\"/shown\" certificateFile=\"../certificate.pem\" certificateKeyFile=\"../key.pem\""
                                + " sslProtocols=\"TLSv1.2+TLSv1.3\" ciphers=\"HIGH:!aNULL\"" + more),
                element(scheme, "path=\"/hidden\"" + more));
        try (Product proxy = serving("proxy")) {
            assertEquals("hello from behind\n", Curl.run(proxy.url("/shown/hello.txt")));
            assertEquals(502, Curl.status(proxy.url("/hidden/hello.txt")));
        }
    }

    @Test
    void refusesBackendsThatItDoesNotTrust() throws Exception {
        proxy(element("https", "sslImplementation=\"openssl\""));
        try (Product proxy = serving("proxy")) {
            assertEquals(502, Curl.status(proxy.url("/hello.txt")));
        }
    }

    @Test
    void isCheckedBeforeTheStart() throws Exception {
        Path file = proxy(element("https", "sslImplementation=\"openssl\" caFile=\"../certificate.pem\""));
        try (Product check = Product.launch("check", file.toString())) {
            assertEquals(0, check.exitStatus());
            check.awaitLine("  with TLS by OpenSSL 3.");
        }
        file = proxy(element("https", "sslImplementation=\"openssl\" ciphers=\"NONSENSE\""));
        try (Product check = Product.launch("check", file.toString())) {
            assertEquals(1, check.exitStatus());
            check.awaitLine("server.xml:5: error: ciphers on Proxy: ");
        }
        file = proxy(element("https", "caFile=\"none.pem\""));
        try (Product check = Product.launch("check", file.toString())) {
            assertEquals(1, check.exitStatus());
            check.awaitLine("none.pem: there is no such file");
        }
        file = proxy(element("https", "certificateKeyFile=\"../key.pem\""));
        try (Product check = Product.launch("check", file.toString())) {
            assertEquals(1, check.exitStatus());
            check.awaitLine("certificateKeyFile on Proxy has no effect without certificateFile");
        }
    }

    @Test
    void isAnOptionOfTheCommand() throws Exception {
        write("open", """
                <Connector port="0" SSLEnabled="true" scheme="https" secure="true">
                  <SSLHostConfig>
                    <Certificate certificateFile="../certificate.pem" certificateKeyFile="../key.pem"/>
                  </SSLHostConfig>
                </Connector>
                """, "");
        try (Product open = serving("open");
                Product proxy = Product.serving(
                        "proxy",
                        "--port=0",
                        "--backend-tls=openssl",
                        "--ca=" + base.resolve("certificate.pem"),
                        "https://localhost:" + open.ports().get(0))) {
            assertEquals("hello from behind\n", Curl.run(proxy.url("/hello.txt")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--backend-tls=gnutls, '--backend-tls=gnutls: expected one of jsse, openssl, auto', 2",
        "--ca=none.pem, '--ca: none.pem: there is no such file', 1"
    })
    void isRefusedInOneLine(String option, String why, int status) throws Exception {
        try (Product proxy = Product.launch("proxy", "--port=0", option, "https://localhost:1")) {
            assertEquals(status, proxy.exitStatus());
            proxy.awaitLine(why);
            assertEquals(status, proxy.lines().size(), "the reason, and after a wrong option where help is");
        }
    }
}
