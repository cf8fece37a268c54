package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What server.xml says of TLS … */
final class TlsXmlTest {

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
        assertTrue(error.contains("say defaultSSLHostConfigName=\"a.test\""), error);
    }

    private @Nullable ServerConfig parse(String connector) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service>" + connector + "<Engine><Host/></Engine></Service></Server>");
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }
}
