package io.millrace.tls.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsReport;
import io.millrace.tls.material.ReloadingEngines;
import io.millrace.tls.material.TlsProviders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of TLS implementations. The client is the JDK's. */
public abstract class TlsProviderContract {

    private static final String PASSWORD = "changeit";

    @TempDir
    static Path directory;

    private static OpenSsl openssl = new OpenSsl(Path.of("."));

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void makeCertificates() throws Exception {
        openssl = new OpenSsl(directory);
        openssl.selfSigned("rsa", "rsa:2048", "rsa.test");
        openssl.run("ecparam -name prime256v1 -genkey -noout -out ec.key");
        openssl.run("req -x509 -key ec.key -out ec.pem -days 3650 -subj /CN=ec.test");
        openssl.run("pkcs12 -export -in rsa.pem -inkey rsa.key -passout pass:changeit -name mine -out rsa.p12");
        openssl.run("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 10 -subj /CN=ca");
        client("good", 10);
        client("late", 0);
        StringBuilder names = new StringBuilder("subjectAltName=DNS:rsa.test");
        for (int i = 0; i < 600; i++) {
            names.append(",DNS:one-of-very-many-names-").append(i).append(".rsa.test");
        }
        openssl.run("req -x509 -newkey rsa:2048 -nodes -keyout long.key -out long.pem -days 10 -subj /CN=long -addext "
                + names);
    }

    /** A certificate signed by ca; expired if {@code days} is 0. */
    private static void client(String name, int days) throws Exception {
        openssl.run("req -newkey rsa:2048 -nodes -keyout " + name + ".key -out " + name + ".csr -subj /CN=" + name);
        openssl.run("x509 -req -in " + name + ".csr -CA ca.pem -CAkey ca.key -CAcreateserial -out " + name
                + ".pem -days " + days);
        openssl.run("pkcs12 -export -in " + name + ".pem -inkey " + name + ".key -passout pass:" + PASSWORD + " -out "
                + name + ".p12");
    }

    /** The implementation to test. */
    protected abstract TlsImplementation implementation();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, CN=rsa.test",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, CN=ec.test"
    })
    void choosesTheCertificateByWhatTheClientKnows(String version, String suite, String subject) throws Exception {
        SSLEngine client = client(null);
        client.setSSLParameters(new SSLParameters(new String[] {suite}, new String[] {version}));
        TlsEngine server = server(rsa().pem(file("ec.pem"), file("ec.key")));
        new InMemory(client, server).shakeHands();
        assertEquals(subject, subject(client));
        assertEquals(suite, server.session().getCipherSuite());
        assertEquals(version, server.session().getProtocol());
    }

    @Test
    void usesKeysOfEd25519() throws Exception {
        openssl.selfSigned("ed", "ed25519", "ed.test");
        SSLEngine client = client(null);
        new InMemory(client, server(TlsHost.any().pem(file("ed.pem"), file("ed.key")))).shakeHands();
        assertEquals("CN=ed.test", subject(client));
    }

    @ParameterizedTest
    @CsvSource({"true, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "false, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"})
    void imposesItsOrderOfSuitesIfItIsToldTo(boolean impose, String chosen) throws Exception {
        TlsEngine server = server(rsa().with(TlsHost.PROTOCOLS, "TLSv1.2")
                .with(TlsHost.CIPHERS, "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256")
                .with(TlsHost.HONOR_CIPHER_ORDER, impose));
        SSLEngine client = client(null);
        client.setEnabledCipherSuites(
                new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"});
        new InMemory(client, server).shakeHands();
        assertEquals(chosen, server.session().getCipherSuite());
    }

    @Test
    void readsKeystores() throws Exception {
        SSLEngine client = client(null);
        new InMemory(client, server(TlsHost.any().keystore(file("rsa.p12"), PASSWORD))).shakeHands();
        assertEquals("CN=rsa.test", subject(client));
    }

    @Test
    void sendsCertificatesLongerThanARecord() throws Exception {
        SSLEngine client = client(null);
        new InMemory(client, server(TlsHost.any().pem(file("long.pem"), file("long.key")))).shakeHands();
        assertEquals("CN=long", subject(client));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void carriesWhatIsSentBothWays(String version) throws Exception {
        SSLEngine client = client(null);
        client.setEnabledProtocols(new String[] {version});
        InMemory both = new InMemory(client, server(rsa())).shakeHands();
        byte[] much = new byte[50_000];
        new Random(1).nextBytes(much);
        assertArrayEquals(much, both.send(much));
        byte[] little = {1, 2, 3};
        assertArrayEquals(little, both.receive(little));
    }

    @Test
    void agreesOnAProtocolByAlpn() throws Exception {
        TlsEngine server = server(rsa());
        new InMemory(offering("h2", "http/1.1"), server).shakeHands();
        assertEquals("http/1.1", server.applicationProtocol());
    }

    @Test
    void refusesAClientWithoutAProtocolInCommon() {
        assertThrows(SSLException.class, () -> new InMemory(offering("h2"), server(rsa())).shakeHands());
    }

    @Test
    void offersNoOtherVersionsAndSuitesThanItIsToldTo() throws Exception {
        TlsEngine server =
                server(rsa().with(TlsHost.PROTOCOLS, "TLSv1.2").with(TlsHost.CIPHERS, "ECDHE+AES256:!CBC:!SHA384"));
        SSLEngine client = client(null);
        new InMemory(client, server).shakeHands();
        assertEquals("TLSv1.2", server.session().getProtocol());
        assertEquals("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", server.session().getCipherSuite());
        SSLEngine newer = client(null);
        newer.setEnabledProtocols(new String[] {"TLSv1.3"});
        assertThrows(
                SSLException.class,
                () -> new InMemory(newer, server(rsa().with(TlsHost.PROTOCOLS, "TLSv1.2"))).shakeHands());
    }

    @Test
    void letsClientsInWhoseCertificateIsOfTheAuthority() throws Exception {
        TlsEngine server = server(verifying(ClientVerification.REQUIRED));
        new InMemory(client("good"), server).shakeHands();
        X509Certificate shown = (X509Certificate) server.session().getPeerCertificates()[0];
        assertEquals("CN=good", shown.getSubjectX500Principal().getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONAL", "OPTIONAL_NO_CA"})
    void letsClientsInWithoutOneWhereItIsOptional(ClientVerification verification) throws Exception {
        TlsEngine server = server(verifying(verification));
        new InMemory(client(null), server).shakeHands();
        assertThrows(
                javax.net.ssl.SSLPeerUnverifiedException.class,
                () -> server.session().getPeerCertificates());
    }

    @Test
    void saysThatACertificateHasExpired() {
        SSLException refused = assertThrows(
                SSLException.class,
                () -> new InMemory(client("late"), server(verifying(ClientVerification.REQUIRED))).shakeHands());
        StringBuilder said = new StringBuilder();
        for (Throwable why = refused; why != null; why = why.getCause()) {
            said.append(why.getMessage()).append('\n');
        }
        assertTrue(said.toString().contains("expired") || said.toString().contains("NotAfter"), said::toString);
    }

    @Test
    void refusesClientsWithoutOneWhereItIsRequired() {
        assertThrows(
                SSLException.class,
                () -> new InMemory(client(null), server(verifying(ClientVerification.REQUIRED))).shakeHands());
    }

    @Test
    void saysInItsReportWhoItIs() {
        TlsOptions options = options(rsa());
        TlsReport report = ReloadingEngines.inspect(options);
        assertTrue(report.isUsable(), report::toString);
        String name = TlsProviders.describe(implementation());
        assertTrue(report.lines().get(0).contains(": " + name + ", TLSv1.3 TLSv1.2; "), report::toString);
    }

    private static TlsHost rsa() {
        return TlsHost.any().pem(file("rsa.pem"), file("rsa.key"));
    }

    private static TlsHost verifying(ClientVerification verification) {
        return rsa().with(TlsHost.CERTIFICATE_VERIFICATION, verification)
                .with(TlsHost.CA_CERTIFICATE_FILE, file("ca.pem"));
    }

    private TlsOptions options(TlsHost host) {
        return TlsOptions.of(host).with(TlsOptions.IMPLEMENTATION, implementation());
    }

    /** An engine that is released at the end of the test. */
    protected final TlsEngine server(TlsHost host) throws Exception {
        ReloadingEngines engines = new ReloadingEngines(options(host), List.of("http/1.1"));
        open.add(engines);
        TlsEngine engine = Objects.requireNonNull(
                engines.create("rsa.test", new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
        open.add(engine::release);
        return engine;
    }

    /** The directory of keys and certificates. */
    protected static Path directory() {
        return directory;
    }

    /** A host with an RSA key. */
    protected static TlsHost host() {
        return rsa();
    }

    /** A client that presents this certificate, or none. */
    protected static SSLEngine client(@Nullable String certificate) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(identity(certificate), new TrustManager[] {new Credulous()}, null);
        SSLEngine client = context.createSSLEngine("rsa.test", 1);
        client.setUseClientMode(true);
        return client;
    }

    private static KeyManager @Nullable [] identity(@Nullable String certificate) throws Exception {
        if (certificate == null) {
            return null;
        }
        KeyStore keys = KeyStore.getInstance(file(certificate + ".p12").toFile(), PASSWORD.toCharArray());
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(keys, PASSWORD.toCharArray());
        return factory.getKeyManagers();
    }

    private static SSLEngine offering(String... protocols) throws Exception {
        SSLEngine client = client(null);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        client.setSSLParameters(parameters);
        return client;
    }

    private static Path file(String name) {
        return directory.resolve(name);
    }

    private static String subject(SSLEngine client) throws SSLException {
        X509Certificate certificate = (X509Certificate) client.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }
}
