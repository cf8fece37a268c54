package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.io.TransportOptions;
import io.millrace.io.VirtualThreads;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.TestTls;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The connector of {@code run} and {@code proxy}. It … */
@NullUnmarked
final class CliConnectorTest {

    @TempDir
    private Path files;

    private Path certificate;
    private Path key;
    private final StringWriter err = new StringWriter();
    private @Nullable Connector made;

    private final class Making implements Command {

        @Override
        public Syntax syntax() {
            return new Syntax("make", "Makes it.", Operand.NONE, CliConnector.optionsAnd(List.of()));
        }

        @Override
        public int run(Arguments arguments) throws OperatorException, UsageException {
            made = CliConnector.of(arguments);
            return 0;
        }
    }

    @BeforeEach
    void makeCertificate() throws Exception {
        certificate = files.resolve("cert.pem");
        key = files.resolve("key.pem");
        TestTls.writePem(certificate, key);
    }

    /** The first line of what is wrong, with the directory of the files left out; empty if nothing is. */
    private String outcome(String... options) throws Exception {
        String[] words = new String[options.length + 1];
        words[0] = "make";
        for (int i = 0; i < options.length; i++) {
            words[i + 1] = options[i].replace("DIR/", files + "/");
        }
        String said;
        try {
            new CommandLine("test", "Tests.", List.of(new Making()))
                    .execute(new PrintWriter(err, true), new PrintWriter(err, true), words);
            said = err.toString().lines().findFirst().orElse("");
        } catch (OperatorException refused) {
            said = Objects.requireNonNull(refused.getMessage());
        }
        return said.replace(files + "/", "");
    }

    private Connector connector(String... options) throws Exception {
        assertEquals("", outcome(options));
        return Objects.requireNonNull(made);
    }

    @Test
    void listensOnPort8080OnAllAddressesInPlainText() throws Exception {
        Connector connector = connector();
        assertEquals(8080, connector.port());
        assertEquals("http", connector.scheme());
        assertEquals(null, connector.address());
        assertEquals(TransportOptions.Threads.AUTO, connector.settings().get(TransportOptions.THREADS));
    }

    @Test
    void servesHttpsOnPort8443WithACertificateAndItsKey() throws Exception {
        Connector connector = connector("--tls-cert=DIR/cert.pem", "--tls-key=DIR/key.pem");
        assertEquals(8443, connector.port());
        assertEquals("https", connector.scheme());
        TlsCertificate used = Objects.requireNonNull(connector.tls())
                .defaultHost()
                .certificates()
                .get(0);
        assertEquals(certificate, ((TlsCertificate.Pem) used).certificateFile());
        assertEquals(key, ((TlsCertificate.Pem) used).keyFile());
        assertEquals(
                9443,
                connector("--tls-cert=DIR/cert.pem", "--tls-key=DIR/key.pem", "--port=9443")
                        .port());
    }

    @Test
    void takesCertificateAndKeyFromOneFile() throws Exception {
        Files.writeString(files.resolve("both.pem"), Files.readString(certificate) + Files.readString(key));
        assertEquals(
                "https",
                connector("--tls-cert=DIR/both.pem", "--tls-key=DIR/both.pem").scheme());
    }

    @Test
    @NeedsConnector("apr")
    void usesOpensslOnAprIfItIsInstalledAsServerXmlDoes() throws Exception {
        Connector connector = connector("--transport=apr", "--tls-cert=DIR/cert.pem", "--tls-key=DIR/key.pem");
        assertEquals(
                TlsImplementation.AUTO, Objects.requireNonNull(connector.tls()).get(TlsOptions.IMPLEMENTATION));
    }

    @Test
    @NeedsConnector("http2")
    void offersHttp2BeforeHttp1() throws Exception {
        Connector connector = connector("--http2", "--tls-cert=DIR/cert.pem", "--tls-key=DIR/key.pem");
        assertEquals(
                List.of("h2", "http/1.1"),
                connector.protocols().stream().map(each -> each.id()).toList());
    }

    @Test
    void hasVirtualThreadsWhereJavaHasThem() throws Exception {
        if (VirtualThreads.areAvailable()) {
            assertEquals(
                    TransportOptions.Threads.VIRTUAL,
                    connector("--virtual-threads").settings().get(TransportOptions.THREADS));
        } else {
            assertTrue(outcome("--virtual-threads").startsWith("--virtual-threads: virtual threads need Java 21"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--tls-cert=DIR/cert.pem, --port=0, 'test: --tls-cert without --tls-key: expected both; if the key is in the same file, name it twice'",
        "--tls-key=DIR/key.pem, --port=0, 'test: --tls-key without --tls-cert: expected both; if the certificate is in the same file, name it twice'",
        "--tls-cert=DIR/none.pem, --tls-key=DIR/key.pem, '--tls-cert: none.pem: there is no such file'",
        "--tls-cert=DIR/cert.pem, --tls-key=DIR/none.pem, '--tls-key: none.pem: there is no such file'",
        "--tls-cert=DIR/key.pem, --tls-key=DIR/key.pem, '--tls-cert: key.pem: has no certificate; expected \"-----BEGIN CERTIFICATE-----\"'",
        "--tls-cert=DIR/cert.pem, --tls-key=DIR/cert.pem, '--tls-key: cert.pem: has no private key; expected \"-----BEGIN PRIVATE KEY-----\"'",
        "--tls-crt=DIR/cert.pem, --port=0, 'test: there is no option --tls-crt=cert.pem; did you mean ''--tls-cert''?'",
    })
    void saysWhatIsWrongWithTheFiles(String one, String other, String expected) throws Exception {
        assertEquals(expected, outcome(one, other));
    }

    @Test
    void refusesAKeyOfAnotherCertificate() throws Exception {
        byte[] other = KeyPairGenerator.getInstance("EC")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        Files.writeString(
                key,
                "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(other)
                        + "\n-----END PRIVATE KEY-----\n");
        assertEquals(
                "--tls-key: key.pem: the key does not belong to the certificate of CN=localhost in cert.pem",
                outcome("--tls-cert=DIR/cert.pem", "--tls-key=DIR/key.pem"));
    }

    @Test
    void saysHowToDecryptAnEncryptedKey() throws Exception {
        Files.writeString(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
        assertEquals(
                "--tls-key: key.pem: is encrypted, and no password for it is configured; decrypt it with"
                        + " 'openssl pkey -in key.pem -out FILE', or use server.xml, where certificateKeyPassword sets a"
                        + " password",
                outcome("--tls-cert=DIR/cert.pem", "--tls-key=DIR/key.pem"));
    }
}
