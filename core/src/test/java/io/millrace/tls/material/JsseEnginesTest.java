package io.millrace.tls.material;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsReport;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.contract.Credulous;
import io.millrace.tls.contract.OpenSsl;
import io.millrace.tls.jsse.JsseHost;
import io.millrace.tls.jsse.JsseProvider;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engines of the JDK, configured, … */
class JsseEnginesTest {

    @TempDir
    static Path directory;

    private static OpenSsl openssl = new OpenSsl(Path.of("."));

    @BeforeAll
    static void makeCertificates() throws Exception {
        openssl = new OpenSsl(directory);
        openssl.selfSigned("rsa", "rsa:2048", "rsa.test");
        openssl.selfSigned("other", "rsa:2048", "other.test");
        openssl.run("ecparam -name prime256v1 -genkey -noout -out ec.key");
        openssl.run("req -x509 -key ec.key -out ec.pem -days 3650 -subj /CN=ec.test");
        openssl.run("pkcs12 -export -in rsa.pem -inkey rsa.key -passout pass:changeit -name mine -out rsa.p12");
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, CN=rsa.test",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, CN=ec.test"
    })
    void choosesTheCertificateByWhatTheClientKnows(String version, String suite, String subject) throws Exception {
        TlsHost host = TlsHost.any().pem(file("rsa.pem"), file("rsa.key")).pem(file("ec.pem"), file("ec.key"));
        SSLParameters client = new SSLParameters(new String[] {suite}, new String[] {version});
        assertEquals(subject, subject(connect(engine(host, List.of()), client)));
    }

    @ParameterizedTest
    @CsvSource({
        "rsa.test, CN=rsa.test",
        "RSA.TEST., CN=rsa.test",
        "a.wild.test, CN=other.test",
        "a.b.wild.test, CN=ec.test",
        "wild.test, CN=ec.test"
    })
    void findsTheHostByItsNameOrTheWildcardOfOneLabel(String name, String subject) {
        TlsOptions options = TlsOptions.of(
                TlsHost.any().pem(file("ec.pem"), file("ec.key")),
                TlsHost.named("rsa.test").pem(file("rsa.pem"), file("rsa.key")),
                TlsHost.named("*.wild.test").pem(file("other.pem"), file("other.key")));
        HostMaterial found = HostMaterial.read(options.host(name), JsseProvider.INSTANCE);
        assertEquals(
                subject,
                found.entries().get(0).certificate().getSubjectX500Principal().getName());
    }

    @Test
    void refuseHostsThatAreNotThereIfTold() throws Exception {
        TlsHost host = TlsHost.named("rsa.test").pem(file("rsa.pem"), file("rsa.key"));
        TlsOptions options = TlsOptions.of(host).with(TlsOptions.REFUSE_UNKNOWN_HOSTS, true);
        try (ReloadingEngines engines = new ReloadingEngines(options, List.of())) {
            assertNull(engines.create("stranger.test", new java.net.InetSocketAddress(0)));
            assertNull(engines.create(null, new java.net.InetSocketAddress(0)));
        }
    }

    @Test
    void readKeystores() throws Exception {
        TlsHost host = TlsHost.any().keystore(file("rsa.p12"), "changeit");
        assertEquals("CN=rsa.test", subject(connect(engine(host, List.of()), new SSLParameters())));
    }

    @Test
    void offerProtocolsByAlpn() throws Exception {
        TlsHost host = TlsHost.any().pem(file("rsa.pem"), file("rsa.key"));
        SSLParameters client = new SSLParameters();
        client.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        SSLEngine engine = connect(engine(host, List.of("http/1.1")), client);
        assertEquals("http/1.1", engine.getApplicationProtocol());
    }

    @Test
    void demandClientCertificatesIfTold() {
        TlsHost host = TlsHost.any()
                .pem(file("rsa.pem"), file("rsa.key"))
                .with(TlsHost.CERTIFICATE_VERIFICATION, ClientVerification.REQUIRED)
                .with(TlsHost.CA_CERTIFICATE_FILE, file("other.pem"));
        SSLEngine engine = engine(host, List.of());
        assertThrows(SSLException.class, () -> connect(engine, new SSLParameters()));
    }

    @Test
    void takeReplacedFilesAndKeepTheOldOnesIfTheyCantBeUsed() throws Exception {
        Path certificate = Files.copy(file("rsa.pem"), file("live.pem"), StandardCopyOption.REPLACE_EXISTING);
        Path key = Files.copy(file("rsa.key"), file("live.key"), StandardCopyOption.REPLACE_EXISTING);
        HostMaterial material = HostMaterial.read(TlsHost.any().pem(certificate, key), JsseProvider.INSTANCE);
        ReloadingHost host = new ReloadingHost(material, JsseProvider.INSTANCE, List.of());
        Files.copy(file("other.pem"), certificate, StandardCopyOption.REPLACE_EXISTING);
        assertTrue(host.check(), "a change must settle first");
        host.check();
        assertEquals("CN=rsa.test", subject(host.entries().get(0).certificate()));
        Files.copy(file("other.key"), key, StandardCopyOption.REPLACE_EXISTING);
        host.check();
        host.check();
        assertEquals("CN=other.test", subject(host.entries().get(0).certificate()));
    }

    @Test
    void nameTheSettingThatIsWrong() {
        assertWrong(
                TlsHost.any().pem(file("rsa.pem"), file("other.key")), TlsSetting.KEY_FILE, "the key does not belong");
        assertWrong(TlsHost.any().pem(file("none.pem"), file("rsa.key")), TlsSetting.CERTIFICATE_FILE, "no such file");
        assertWrong(TlsHost.any().keystore(file("rsa.p12"), "wrong"), TlsSetting.KEYSTORE_PASSWORD, "be decrypted");
        assertWrong(
                TlsHost.any().pem(file("rsa.pem"), file("rsa.key")).with(TlsHost.PROTOCOLS, "TLSv9"),
                TlsSetting.PROTOCOLS,
                "TLSv9");
        assertWrong(
                TlsHost.any().pem(file("rsa.pem"), file("rsa.key")).with(TlsHost.CIPHERS, "HIHG"),
                TlsSetting.CIPHERS,
                "mean 'HIGH'");
    }

    @Test
    void warnOfASecondCertificateOfOneType() {
        TlsHost host = TlsHost.any()
                .pem(file("rsa.pem"), file("rsa.key"))
                .pem(file("ec.pem"), file("ec.key"))
                .pem(file("other.pem"), file("other.key"));
        List<TlsFinding> findings =
                ReloadingEngines.inspect(TlsOptions.of(host)).findings();
        assertEquals(1, findings.size(), findings::toString);
        assertEquals(host.certificates().get(2), findings.get(0).certificate());
        assertTrue(!findings.get(0).isError() && findings.get(0).text().contains("same type, RSA"), findings::toString);
    }

    private static void assertWrong(TlsHost host, TlsSetting setting, String text) {
        TlsReport report = ReloadingEngines.inspect(TlsOptions.of(host));
        assertEquals(1, report.findings().size(), report::toString);
        TlsFinding finding = report.findings().get(0);
        assertEquals(setting, finding.setting());
        assertTrue(finding.isError() && finding.text().contains(text), finding::text);
    }

    private static Path file(String name) {
        return directory.resolve(name);
    }

    private static String subject(SSLEngine client) throws SSLException {
        X509Certificate certificate = (X509Certificate) client.getSession().getPeerCertificates()[0];
        return subject(certificate);
    }

    private static String subject(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    private static SSLEngine engine(TlsHost host, List<String> applicationProtocols) {
        HostMaterial material = HostMaterial.read(host, JsseProvider.INSTANCE);
        return JsseHost.of(material.settings(applicationProtocols)).engine();
    }

    /** Performs a handshake in memory; returns the client's engine. */
    private static SSLEngine connect(SSLEngine server, SSLParameters parameters) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Credulous()}, null);
        SSLEngine client = context.createSSLEngine();
        client.setUseClientMode(true);
        client.setSSLParameters(parameters);
        ByteBuffer toServer = ByteBuffer.allocate(64 * 1024).flip();
        ByteBuffer toClient = ByteBuffer.allocate(64 * 1024).flip();
        client.beginHandshake();
        server.beginHandshake();
        for (int step = 0; step < 200 && !(isDone(client) && isDone(server)); step++) {
            step(client, toClient, toServer);
            step(server, toServer, toClient);
        }
        assertTrue(isDone(client) && isDone(server), "the handshake came to its end");
        return client;
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            out.compact();
            engine.wrap(ByteBuffer.allocate(0), out);
            out.flip();
        } else if (in.hasRemaining()) {
            engine.unwrap(in, ByteBuffer.allocate(32 * 1024));
        }
    }
}
