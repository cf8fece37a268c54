package io.millrace.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.contract.Credulous;
import io.millrace.tls.contract.InMemory;
import io.millrace.tls.contract.OpenSsl;
import io.millrace.tls.material.ReloadingEngines;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A responder's response about a certificate is stapled to the handshake … */
final class StaplingTest {

    @TempDir
    static Path directory;

    private static OpenSsl openssl = new OpenSsl(Path.of("."));

    @BeforeAll
    static void askResponder() throws Exception {
        openssl = new OpenSsl(directory);
        openssl.selfSigned("rsa", "rsa:2048", "one.test");
        openssl.run(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ec.key -out ec.pem -days 2"
                        + " -subj /CN=two.test");
        respond("rsa", "V\t401231000000Z\t\t");
        respond("ec", "V\t401231000000Z\t\t");
        Files.copy(directory.resolve("rsa.ocsp"), directory.resolve("good.ocsp"));
        respond("rsa", "R\t401231000000Z\t260101000000Z\t");
        Files.move(directory.resolve("rsa.ocsp"), directory.resolve("revoked.ocsp"));
        byte[] good = Files.readAllBytes(directory.resolve("good.ocsp"));
        Files.write(directory.resolve("stale.ocsp"), longAgo(good));
        Files.write(directory.resolve("cut.ocsp"), java.util.Arrays.copyOf(good, good.length - 10));
        Files.write(directory.resolve("refusal.ocsp"), new byte[] {0x30, 3, 0x0a, 1, 6}); // unauthorized
    }

    private static void respond(String name, String index) throws Exception {
        String serial = openssl.run("x509 -in " + name + ".pem -noout -serial").strip();
        String line = index + serial.substring("serial=".length()) + "\tunknown\t/CN=any\n";
        Files.writeString(directory.resolve("index.txt"), line);
        openssl.run(
                "ocsp -index index.txt -ndays 1 -rsigner NAME.pem -rkey NAME.key -CA NAME.pem -issuer NAME.pem -cert NAME.pem -respout NAME.ocsp"
                        .replace("NAME", name));
    }

    /** All its times are twenty years ago. Its signature, which servers do not check, is invalid. */
    private static byte[] longAgo(byte[] response) {
        String text = new String(response, StandardCharsets.ISO_8859_1);
        int year = Year.now(ZoneOffset.UTC).getValue();
        for (int any = year; any <= year + 1; any++) {
            text = text.replaceAll("" + any + "(?=\\d{10}Z)", "" + (any - 20));
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, good.ocsp",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, ec.ocsp",
        "TLSv1.3, TLS_AES_128_GCM_SHA256, ec.ocsp"
    })
    void asItIsInTheFileOfTheCertificateShown(String version, String suite, String file) throws Exception {
        TlsHost host = host().pem(directory.resolve("ec.pem"), directory.resolve("ec.key"))
                .ocspResponseFile(directory.resolve("good.ocsp"))
                .ocspResponseFile(directory.resolve("ec.ocsp"));
        List<byte[]> told = told(host, version, suite);
        assertEquals(1, told.size());
        assertArrayEquals(Files.readAllBytes(directory.resolve(file)), told.get(0));
    }

    @Test
    void onlyToTheCertificateThatItIsAbout() throws Exception {
        TlsHost host = host().pem(directory.resolve("ec.pem"), directory.resolve("ec.key"))
                .ocspResponseFile(directory.resolve("good.ocsp"));
        assertEquals(
                0,
                told(host, "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256").size());
    }

    @Test
    void onlyWhileItHolds() throws Exception {
        TlsHost host = host().ocspResponseFile(directory.resolve("stale.ocsp"));
        assertEquals(0, told(host, "TLSv1.3", "TLS_AES_128_GCM_SHA256").size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none.ocsp|there is no such file",
                "cut.ocsp|OpenSSL cannot parse it as an OCSP response (DER): ",
                "refusal.ocsp|this OCSP response is an error of the responder, status 6",
                "revoked.ocsp|this OCSP response does not say that the certificate is good",
                "ec.ocsp|this OCSP response is about another certificate than the host's",
            })
    void butNothingThatWouldDoHarm(String file, String why) {
        TlsOptions options = options(host().ocspResponseFile(directory.resolve(file)));
        TlsConfigurationException refused =
                assertThrows(TlsConfigurationException.class, () -> new ReloadingEngines(options, List.of()));
        assertEquals(TlsSetting.OCSP_RESPONSE_FILE, refused.setting());
        String expected = directory.resolve(file) + ": " + why;
        assertTrue(String.valueOf(refused.getMessage()).startsWith(expected), refused::toString);
    }

    @Test
    void andTheJdkSaysThatItCannot() {
        TlsHost host = host().ocspResponseFile(directory.resolve("good.ocsp"));
        TlsOptions options = TlsOptions.of(host);
        List<TlsFinding> findings = ReloadingEngines.inspect(options).findings();
        assertTrue(
                findings.stream()
                        .anyMatch(each -> !each.isError()
                                && each.text()
                                        .startsWith("JSSE cannot staple a response from a file; with the system")),
                findings::toString);
    }

    private static List<byte[]> told(TlsHost host, String version, String suite) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Credulous()}, null);
        SSLEngine client = context.createSSLEngine("one.test", 1);
        client.setUseClientMode(true);
        SSLParameters parameters = new SSLParameters(new String[] {suite}, new String[] {version});
        client.setSSLParameters(parameters);
        try (ReloadingEngines engines = new ReloadingEngines(options(host), List.of())) {
            TlsEngine server = Objects.requireNonNull(engines.create(null, new InetSocketAddress(0)));
            try {
                new InMemory(client, server).shakeHands();
            } finally {
                server.release();
            }
        }
        return ((ExtendedSSLSession) client.getSession()).getStatusResponses();
    }

    private static TlsHost host() {
        return TlsHost.any().pem(directory.resolve("rsa.pem"), directory.resolve("rsa.key"));
    }

    private static TlsOptions options(TlsHost host) {
        return TlsOptions.of(host).with(TlsOptions.IMPLEMENTATION, TlsImplementation.OPENSSL);
    }
}
