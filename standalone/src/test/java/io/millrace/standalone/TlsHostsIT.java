package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each host of a port with TLS, by either implementation, as openssl sees it: it … */
@NullUnmarked
@ParameterizedClass
@MethodSource("io.millrace.standalone.EitherTls#installed")
final class TlsHostsIT {

    private static final String CONNECTOR = """
            <Connector port="0" address="127.0.0.1" SSLEnabled="true" scheme="https" secure="true"
                sslImplementation="IMPLEMENTATION">
              <SSLHostConfig>
                <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="old.test" protocols="TLSv1.2">
                <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="new.test" protocols="TLSv1.3">
                <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="openssl.test" ciphers="ECDHE-ECDSA-AES256-GCM-SHA384">
                <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="iana.test" ciphers="TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256">
                <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="alone.test">
                <Certificate certificateFile="certs/deeper.pem" certificateKeyFile="certs/deeper.key"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="chained.test">
                <Certificate certificateFile="certs/deeper.pem" certificateKeyFile="certs/deeper.key"
                    certificateChainFile="certs/intermediate.pem"/>
              </SSLHostConfig>
              <SSLHostConfig hostName="*.pkcs12.test">
                <Certificate certificateKeystoreFile="certs/rsa.p12" certificateKeystoreType="PKCS12"
                    certificateKeystorePasswordFile="certs/p12.password"/>
              </SSLHostConfig>
            </Connector>
            """;

    @TempDir
    private static Path base;

    private static CertificateAuthority authority;
    private static ProbeServer server;

    @Parameter
    private EitherTls implementation;

    private OpensslClient openssl;

    @BeforeAll
    static void start() throws Exception {
        authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeRsa("rsa", "of RSA", "localhost");
        authority.makeEc("ec", "of EC", "localhost");
        authority.makeIntermediate("intermediate", "deeper");
        String rsa = authority.certificate("rsa").toString();
        String key = authority.key("rsa").toString();
        String keystore = base.resolve("certs/rsa.p12").toString();
        Command.succeed(
                "openssl", "pkcs12", "-export", "-in", rsa, "-inkey", key, "-out", keystore, "-passout", "pass:twelve");
        Files.writeString(base.resolve("certs/p12.password"), "twelve\n");
        server = ProbeServer.serving(
                base, EitherTls.forEach(each -> CONNECTOR.replace("IMPLEMENTATION", each.toString())));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void connect() {
        openssl = new OpensslClient(implementation.port(server.product().ports()), authority);
    }

    @ParameterizedTest
    @CsvSource({"old.test, -tls1_2, -tls1_3", "new.test, -tls1_3, -tls1_2"})
    void speaksItsProtocolsOnly(String host, String spoken, String refused) throws Exception {
        String said = openssl.hello(host, spoken);
        assertTrue(said.contains("HTTP/1.1 200"), said);
        OpensslClient.assertRefused(openssl.get(host, "/hello", refused));
        String other = openssl.hello("localhost", refused);
        assertTrue(other.contains("HTTP/1.1 200"), other);
    }

    @ParameterizedTest
    @CsvSource({"openssl.test, ECDHE-ECDSA-AES256-GCM-SHA384", "iana.test, ECDHE-ECDSA-CHACHA20-POLY1305"})
    void takesItsCiphersOnlyByEitherKindOfName(String host, String cipher) throws Exception {
        String said = openssl.hello(host, "-tls1_2");
        assertTrue(said.contains("Cipher is " + cipher), said);
        OpensslClient.assertRefused(openssl.get(host, "/hello", "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"));
        String other = openssl.hello("localhost", "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256");
        assertTrue(other.contains("HTTP/1.1 200"), other);
    }

    @Test
    void sendsTheChainThatItHasInAFile() throws Exception {
        String chained = openssl.hello("chained.test");
        assertTrue(chained.contains("Verify return code: 0 (ok)"), chained);
        String alone = openssl.hello("alone.test");
        assertFalse(alone.contains("Verify return code: 0 (ok)"), alone);
    }

    @Test
    void opensItsKeystoreByAPasswordInAFile() throws Exception {
        String said = openssl.hello("any.pkcs12.test", "-verify_return_error");
        assertTrue(said.contains("subject=CN = of RSA"), said);
        assertTrue(said.contains("HTTP/1.1 200"), said);
    }

    @Test
    void refusesToNegotiateAnew() throws Exception {
        String said = openssl.renegotiate("-tls1_2");
        assertTrue(said.contains("RENEGOTIATING") && said.contains("unexpected eof"), said);
    }
}
