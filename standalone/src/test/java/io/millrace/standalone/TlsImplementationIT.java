package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.NeedsConnector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose TLS a port will have is told by {@code millrace check} and at the start; and whoever asks for OpenSSL … */
@NeedsConnector({"nio", "openssl"})
final class TlsImplementationIT {

    private static final Map<String, String> WITHOUT_OPENSSL =
            Map.of("JAVA_OPTS", "-Dmillrace.openssl.library=/nowhere/libssl.so");

    @TempDir
    private Path base = Path.of("");

    @ParameterizedTest
    @CsvSource({"openssl, OpenSSL 3.", "auto, OpenSSL 3.", "jsse, JSSE"})
    void getsIt(String asked, String named) throws Exception {
        write(asked);
        try (Product check = Product.launch("check", "--base=" + base)) {
            assertEquals(0, check.exitStatus(), check.output());
            check.awaitLine("HTTP/1.1 over nio, TLS by " + named);
        }
        try (Product server = Product.serving("start", "--base=" + base)) {
            assertTrue(server.has("HTTP/1.1 over nio, TLS by " + named), server.output());
            assertFalse(server.has("WARNING: "), server.output()); // of Java's, about native access
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', on, OpenSSL 3.",
        "'', off, JSSE",
        "sslImplementation='jsse', on, JSSE",
        "sslImplementationName='org.apache.tomcat.util.net.jsse.JSSEImplementation', on, JSSE",
        "sslImplementationName='org.apache.tomcat.util.net.openssl.OpenSSLImplementation', off, OpenSSL 3."
    })
    @NeedsConnector("apr")
    void getsOpensslOnAprUnlessItSaysOtherwise(String attribute, String engine, String named) throws Exception {
        write("jsse");
        Path file = base.resolve("conf/server.xml");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("sslImplementation=\"jsse\"", "protocol=\"apr\" " + attribute)
                        .replace(
                                "<Service",
                                "<Listener className=\"org.apache.catalina.core.AprLifecycleListener\" SSLEngine=\""
                                        + engine + "\"/><Service"));
        try (Product check = Product.launch("check", "--base=" + base)) {
            assertEquals(0, check.exitStatus(), check.output());
            assertTrue(check.has(", TLS by " + named), check.output());
        }
    }

    @Test
    void isToldWhatIsMissing() throws Exception {
        write("openssl");
        for (String command : new String[] {"check", "start"}) {
            assertRefused(
                    WITHOUT_OPENSSL,
                    command,
                    "millrace.openssl.library is /nowhere/libssl.so, which cannot be loaded.");
        }
    }

    @Test
    void isToldIfJavaIsTooOld() throws Exception {
        Optional<Path> java17 = InstalledJava.home(17);
        assumeTrue(java17.isPresent(), "no Java 17 here");
        write("openssl");
        assertRefused(
                Map.of("JAVA_HOME", java17.get().toString()),
                "start",
                "TLS by OpenSSL needs Java 22 or newer; this is Java 17.");
    }

    @Test
    void getsTheJdksWhereItIsMissingIfEitherWillDo() throws Exception {
        write("auto");
        try (Product check = Product.process().environment(WITHOUT_OPENSSL).launch("check", "--base=" + base)) {
            assertEquals(0, check.exitStatus(), check.output());
            check.awaitLine("HTTP/1.1 over nio, TLS by JSSE");
        }
    }

    /** One line, and no port by the other. */
    private void assertRefused(Map<String, String> environment, String command, String why) throws Exception {
        try (Product product = Product.process().environment(environment).launch(command, "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            String line = product.awaitLine(why);
            assertTrue(line.startsWith("conf/server.xml:3: error: sslImplementation on Connector: "), line);
        }
    }

    private void write(String implementation) throws Exception {
        TestCertificate.keystore(base.resolve("keys.p12"));
        Files.createDirectories(base.resolve("webapps"));
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server>
                  <Service>
                    <Connector port="0" address="127.0.0.1" SSLEnabled="true" sslImplementation="IMPLEMENTATION">
                      <SSLHostConfig>
                        <Certificate certificateKeystoreFile="keys.p12" certificateKeystorePassword="PASSWORD"/>
                      </SSLHostConfig>
                    </Connector>
                    <Engine><Host/></Engine>
                  </Service>
                </Server>
                """.replace(
                        "IMPLEMENTATION", implementation)
                .replace("PASSWORD", io.millrace.testkit.TestTls.PASSWORD));
    }
}
