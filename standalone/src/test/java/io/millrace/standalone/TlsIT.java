package io.millrace.standalone;

import static io.millrace.standalone.OpensslClient.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.NeedsConnector;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.material.TlsProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
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
import org.junit.jupiter.params.provider.ValueSource;

/** A port with many TLS hosts, by either implementation of TLS, seen by openssl … */
@NullUnmarked
@ParameterizedClass
@MethodSource("io.millrace.standalone.EitherTls#installed")
final class TlsIT {

    private static final String CONNECTOR = """
              <Connector port="0" address="127.0.0.1" SSLEnabled="true" scheme="https" secure="true" tlsReloadInterval="500"
                  sslImplementation="IMPLEMENTATION">
                <SSLHostConfig>
                  <Certificate certificateFile="certs/rsa.pem" certificateKeyFile="certs/rsa.key" type="RSA"/>
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key" type="EC"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="jks.test">
                  <Certificate certificateKeystoreFile="certs/jks.jks" certificateKeystoreType="JKS"
                      certificateKeystorePassword="storepass" certificateKeyPassword="keypass" certificateKeyAlias="second"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="pkcs8.test">
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/pkcs8.key"
                      certificateKeyPassword="eight"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="pkcs1.test">
                  <Certificate certificateFile="certs/rsa.pem" certificateKeyFile="certs/pkcs1.key"
                      certificateKeyPasswordFile="certs/pkcs1.password"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="required.test" certificateVerification="required" caCertificateFile="certs/ca.pem"
                    certificateRevocationListFile="certs/revoked.crl">
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="deep.test" certificateVerification="required" caCertificateFile="certs/ca.pem">
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="shallow.test" certificateVerification="required" caCertificateFile="certs/ca.pem"
                    certificateVerificationDepth="0">
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="without-tickets.test" disableSessionTickets="true">
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="linked.test">
                  <Certificate certificateFile="mount-IMPLEMENTATION/tls.pem"
                      certificateKeyFile="mount-IMPLEMENTATION/tls.key"/>
                </SSLHostConfig>
                <SSLHostConfig hostName="anyone.test" certificateVerification="optionalNoCA">
                  <Certificate certificateFile="certs/ec.pem" certificateKeyFile="certs/ec.key"
                      ocspResponseFile="certs/ec.ocsp"/>
                </SSLHostConfig>
              </Connector>
            """;

    @TempDir
    private static Path base;

    private static CertificateAuthority authority;
    private static Product product;

    @Parameter
    private EitherTls implementation;

    private OpensslClient openssl;

    @BeforeAll
    static void start() throws Exception {
        authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeRsa("rsa", "of RSA", "localhost");
        authority.makeEc("ec", "of EC", "localhost");
        authority.makeEc("client", "a client");
        authority.makeEc("leaver", "a leaver");
        authority.makeIntermediate("intermediate", "deeper");
        authority.makeSelfSigned("stranger");
        authority.revoke("leaver");
        authority.vouch("ec");
        keystore();
        encryptedKeys();
        for (EitherTls each : EitherTls.installed()) {
            mount(base.resolve("mount-" + each));
        }
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), serverXml());
        Files.copy(
                Product.EXAMPLES,
                Files.createDirectories(base.resolve("webapps")).resolve("ROOT.war"));
        product = Product.serving("start", "--base=" + base);
    }

    private static String serverXml() {
        String connectors = EitherTls.forEach(each -> CONNECTOR.replace("IMPLEMENTATION", each.toString()));
        return "<Server><Service>\n" + connectors + "<Engine><Host/></Engine></Service></Server>\n";
    }

    @BeforeEach
    void connect() {
        openssl = new OpensslClient(port(), authority);
    }

    private int port() {
        return implementation.port(product.ports());
    }

    @AfterAll
    static void stop() {
        if (product != null) {
            product.close();
        }
    }

    /** With two keys, whose password is not the keystore's. */
    private static void keystore() throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        for (String alias : List.of("first", "second")) {
            Command.succeed(
                    keytool,
                    "-genkeypair",
                    "-storetype",
                    "JKS",
                    "-keystore",
                    file("jks.jks"),
                    "-storepass",
                    "storepass",
                    "-keypass",
                    "keypass",
                    "-alias",
                    alias,
                    "-dname",
                    "CN=the " + alias + " of JKS",
                    "-keyalg",
                    "EC",
                    "-validity",
                    "100");
        }
    }

    private static void encryptedKeys() throws Exception {
        Command.succeed(
                "openssl",
                "pkcs8",
                "-topk8",
                "-in",
                file("ec.key"),
                "-out",
                file("pkcs8.key"),
                "-passout",
                "pass:eight");
        Command.succeed(
                "openssl",
                "rsa",
                "-traditional",
                "-aes256",
                "-in",
                file("rsa.key"),
                "-out",
                file("pkcs1.key"),
                "-passout",
                "pass:one");
        Files.writeString(Path.of(file("pkcs1.password")), "one\n");
    }

    private static String file(String name) {
        return base.resolve("certs").resolve(name).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "-tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256, of RSA",
        "-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256, of EC",
        "-tls1_3 -sigalgs rsa_pss_rsae_sha256, of RSA",
        "-tls1_3 -sigalgs ecdsa_secp256r1_sha256, of EC"
    })
    void showsTheCertificateThatTheClientCanCheck(String options, String subject) throws Exception {
        String said = openssl.hello("localhost", options.split(" "));
        assertTrue(said.contains("subject=CN = " + subject), said);
        assertAnswered(said);
    }

    @ParameterizedTest
    @CsvSource({"jks.test, the second of JKS", "pkcs8.test, of EC", "pkcs1.test, of RSA"})
    void readsKeysHoweverTheyAreLocked(String host, String subject) throws Exception {
        String said = openssl.hello(host);
        assertTrue(said.contains("subject=CN = " + subject), said);
        assertAnswered(said);
    }

    @ParameterizedTest
    @CsvSource({"1.2, AES256-GCM, 256", "1.2, CHACHA20, 256", "1.2, AES128-GCM, 128", "1.3, , 256"})
    void tellsTheApplicationWhatTlsCameTo(String version, String cipher, String bits) throws Exception {
        String flag = "-tls" + version.replace('.', '_');
        String said = (cipher == null
                        ? openssl.get("localhost", "/info", flag)
                        : openssl.get(
                                "localhost",
                                "/info",
                                flag,
                                "-cipher",
                                cipher.equals("CHACHA20")
                                        ? "ECDHE-RSA-CHACHA20-POLY1305"
                                        : "ECDHE-RSA-" + cipher + (bits.equals("256") ? "-SHA384" : "-SHA256")))
                .output();
        assertTrue(said.contains(row("Key size", bits + "<")), said);
        assertTrue(said.matches("(?s).*" + row("TLS session", "[0-9a-f]{64}<") + ".*"), said);
        assertTrue(said.contains(row("Client certificate", "none")), said);
    }

    @Test
    void tellsTheApplicationWhoTheClientIs() throws Exception {
        String said = as("client", "required.test").output();
        assertTrue(said.contains(row("Client certificate", "CN=a client")), said);
    }

    @Test
    void refusesACertificateThatWasRevoked() throws Exception {
        assertRefused(as("leaver", "required.test"));
        assertTrue(as("leaver", "deep.test").output().contains("CN=a leaver"), "where no list says so it is good");
    }

    @Test
    void refusesACertificateOfNoAuthorityItKnows() throws Exception {
        assertRefused(as("stranger", "deep.test"));
    }

    @Test
    void refusesACertificateBehindMoreThanAreAllowed() throws Exception {
        String chain = authority.certificate("intermediate").toString();
        String said = as("deeper", "deep.test", "-cert_chain", chain).output();
        assertTrue(said.contains(row("Client certificate", "CN=deeper")), said);
        assertTrue(as("client", "shallow.test").output().contains("CN=a client"));
        assertRefused(as("deeper", "shallow.test", "-cert_chain", chain));
    }

    @Test
    void refusesACertificateOfAnAuthorityWithoutARevocationList() throws Exception {
        String chain = authority.certificate("intermediate").toString();
        assertRefused(as("deeper", "required.test", "-cert_chain", chain));
    }

    @Test
    void staplesWhatTheResponderSaidWhereItCan() throws Exception {
        String said = openssl.hello("anyone.test", "-status");
        String stapled = "OCSP Response Status: successful";
        assertEquals(implementation == EitherTls.OPENSSL, said.contains(stapled), said);
        assertAnswered(said);
    }

    @Test
    void leavesItToTheApplicationIfToldSo() throws Exception {
        String said = as("stranger", "anyone.test").output();
        assertTrue(said.contains(row("Client certificate", "CN=stranger")), said);
        assertTrue(openssl.get("anyone.test", "/info").output().contains(row("Client certificate", "none")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"required.test", "REQUIRED.test:443", "anyone.test", "required.test."})
    void refusesARequestForAnotherHostThanItsTlsIsFor(String host) throws Exception {
        String said = openssl.ask("localhost", host, "/info").output();
        assertTrue(said.contains("HTTP/1.1 421 "), said);
    }

    @Test
    void refusesItByAWholeAddressToo() throws Exception {
        String said = openssl.ask("localhost", "required.test", "https://required.test/info")
                .output();
        assertTrue(said.contains("HTTP/1.1 421 "), said);
    }

    @Test
    void refusesItWithoutANameInTheHandshake() throws Exception {
        assertEquals(421, status("https://127.0.0.1:" + port() + "/info", "-H", "Host: required.test"));
        assertEquals(200, status("https://127.0.0.1:" + port() + "/info"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void refusesItOnAResumedSessionToo(String version) throws Exception {
        String session = base.resolve("session" + version).toString();
        assertAnswered(openssl.hello("localhost", version, "-sess_out", session));
        String said = openssl.ask("localhost", "required.test", "/info", version, "-sess_in", session)
                .output();
        assertTrue(said.contains("Reused, TLS") && said.contains("HTTP/1.1 421 "), said);
        said = openssl.ask("required.test", "required.test", "/info", version, "-sess_in", session)
                .output();
        assertFalse(said.contains("Reused, TLS") || said.contains("HTTP/1.1 200 "), said);
    }

    /** The JDK has one switch for all, and says so. */
    @ParameterizedTest
    @CsvSource({"localhost, true", "without-tickets.test, false"})
    void resumesSessionsWithoutTicketsWhereItCan(String host, boolean tickets) throws Exception {
        String session = base.resolve("session-" + implementation + host).toString();
        String said = openssl.hello(host, "-tls1_2", "-sess_out", session);
        assertEquals(tickets || implementation == EitherTls.JSSE, said.contains("TLS session ticket:"), said);
        said = openssl.hello(host, "-tls1_2", "-sess_in", session);
        assertTrue(said.contains("Reused, TLSv1.2"), said);
    }

    @Test
    @NeedsConnector("nio")
    void tellsAtStartAndIfAskedWhatIsSpokenAndWhenCertificatesEnd() throws Exception {
        try (Product check = Product.launch("check", "--base=" + base)) {
            assertEquals(0, check.exitStatus(), check.output());
            String name = TlsProviders.describe(TlsImplementation.valueOf(implementation.name()));
            String hosts = "TLS host _default_ (default): " + name
                    + ", TLSv1.3 TLSv1.2; RSA 2048 CN=of RSA for localhost until " + authority.lastDay("rsa")
                    + "; EC 256 CN=of EC for localhost until " + authority.lastDay("ec") + "; client certificates none";
            assertTrue(check.has(hosts), check.output());
            String warning =
                    "conf/server.xml:5: warning: TLS host _default_: the certificate of CN=of RSA expires in 1 day, on ";
            assertTrue(check.has(warning + authority.lastDay("rsa")), check.output());
            String port = "HTTP/1.1 over nio, TLS by " + name + " with http/1.1 by ALPN; 8192 connections, ";
            assertTrue(check.has("port 0 (any free one) on 127.0.0.1: " + port), check.output());
            assertTrue(product.has("127.0.0.1:" + port() + " (" + port), product.output());
            assertTrue(product.has(hosts), product.output());
        }
    }

    /** As Kubernetes mounts a secret: the link to the directory of all its files is swapped. */
    @Test
    void takesCertificatesBehindASwappedLink() throws Exception {
        assertTrue(openssl.hello("linked.test").contains("subject=CN = of RSA"));
        Path mount = base.resolve("mount-" + implementation);
        Path fresh = Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("../second"));
        Files.move(fresh, mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Deadline.await(
                "the other certificate",
                Duration.ofMinutes(1),
                () -> subjectOfLinked().contains("subject=CN = of EC"));
    }

    private String subjectOfLinked() {
        try {
            return openssl.hello("linked.test");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The certificate and key of each under the same name, and links to the first. */
    private static void mount(Path mount) throws Exception {
        Files.createDirectories(mount);
        Files.createSymbolicLink(mount.resolve("..data"), Path.of("../first"));
        for (String kind : List.of("pem", "key")) {
            copy("rsa." + kind, Files.createDirectories(base.resolve("first")).resolve("tls." + kind));
            copy("ec." + kind, Files.createDirectories(base.resolve("second")).resolve("tls." + kind));
            Files.createSymbolicLink(mount.resolve("tls." + kind), Path.of("..data/tls." + kind));
        }
    }

    private static void copy(String file, Path to) throws Exception {
        Files.copy(Path.of(file(file)), to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static int status(String... arguments) throws Exception {
        String[] all = new String[arguments.length + 1];
        all[0] = "-k";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Curl.status(all);
    }

    private Command as(String client, String host, String... more) throws Exception {
        return openssl.getAs(client, host, "/info", more);
    }

    private static void assertAnswered(String said) {
        assertTrue(said.contains("HTTP/1.1 200") && said.contains("Hello from web.xml"), said);
    }

    /** As the examples print it, up to the beginning of the value. */
    private static String row(String name, String value) {
        return "<th>" + name + "</th><td>" + value;
    }
}
