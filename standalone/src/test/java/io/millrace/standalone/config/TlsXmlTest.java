package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What server.xml says of TLS … */
final class TlsXmlTest {

    private static final Path FILE = Path.of("a.pem");

    private final Problems problems = new Problems("server.xml");

    /** Tomcat makes two hosts of one name of them, and does not start either. */
    @ParameterizedTest
    @CsvSource({
        "clientAuth, true, certificateVerification",
        "SSLVerifyClient, require, certificateVerification",
        "sslEnabledProtocols, TLSv1.3, protocols",
        "ciphers, HIGH, ciphers",
        "truststoreFile, trusted.p12, truststoreFile",
        "SSLCertificateKeyFile, a.key, certificateKeyFile"
    })
    void isNotHeardByItsOldNameBesideAHost(String old, String value, String name) {
        String connector = "<Connector port='0' SSLEnabled='true' " + old + "='" + value + "'>"
                + "<SSLHostConfig><Certificate certificateFile='a.pem'/></SSLHostConfig></Connector>";
        assertNull(parse(connector));
        String error = "server.xml:1: error: " + old
                + " on Connector: ignored because there is an SSLHostConfig; set there, or on its Certificate, " + name;
        assertEquals(List.of(error), found());
    }

    @ParameterizedTest
    @CsvSource({"'', _default_", "defaultSSLHostConfigName='b.test', b.test"})
    void needsAHostForClientsThatNameNone(String attribute, String name) {
        assertNull(parse("<Connector port='0' SSLEnabled='true' " + attribute + "><SSLHostConfig hostName='a.test'>"
                + "<Certificate certificateFile='a.pem'/></SSLHostConfig></Connector>"));
        String error = found().get(0);
        assertTrue(error.contains("no SSLHostConfig has hostName=\"" + name + "\""), error);
        assertTrue(error.contains("set defaultSSLHostConfigName=\"a.test\""), error);
    }

    @Test
    void isRefusedWithTheWordsThatProgramsHear() {
        parse("<Connector port='0' SSLEnabled='true' tlsHandshakeTimeout='0' refuseUnknownHost='true'><SSLHostConfig"
                + " certificateVerificationDepth='-2'><Certificate certificateFile=' '/></SSLHostConfig></Connector>");
        String duration = expected(() -> TlsOptions.pem(FILE, FILE).with(TlsOptions.HANDSHAKE_TIMEOUT, Duration.ZERO));
        String depth = expected(() -> TlsHost.any().with(TlsHost.CERTIFICATE_VERIFICATION_DEPTH, -2));
        assertEquals(
                List.of(
                        "server.xml:1: error: tlsHandshakeTimeout=\"0\" on Connector: " + duration,
                        "server.xml:1: error: unknown attribute 'refuseUnknownHost' on Connector; did you mean"
                                + " 'refuseUnknownHosts'?",
                        "server.xml:1: error: certificateVerificationDepth=\"-2\" on SSLHostConfig: " + depth,
                        "server.xml:1: error: certificateFile=\" \" on Certificate: expected the name of a file"),
                found().subList(0, 4));
    }

    private static String expected(Executable wrong) {
        String text = String.valueOf(
                assertThrows(IllegalArgumentException.class, wrong).getMessage());
        return text.substring(text.indexOf("expected"));
    }

    private @Nullable ServerConfig parse(String connector) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service>" + connector + "<Engine><Host/></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
