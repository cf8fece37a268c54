package io.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.forwarded.CertificateFields;
import io.millrace.forwarded.RemoteIp;
import io.millrace.net.AddressSet;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.TestTls;
import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate of a client, in a field of a front end … */
final class CertificateFieldsTest {

    private static final AddressSet HERE = AddressSet.parse("127.0.0.0/8");

    @TempDir
    private static Path directory;

    private static String pem;

    @BeforeAll
    static void writePem() throws IOException {
        Path file = directory.resolve("certificate.pem");
        TestTls.writePem(file, directory.resolve("key.pem"));
        pem = Files.readString(file).strip();
    }

    private static WebApplication application() {
        return WebApplication.builder("")
                .servlet(
                        "shown",
                        Serving.with((request, response) -> response.getWriter().print(shown(request))),
                        "/")
                .build();
    }

    private static String shown(HttpServletRequest request) {
        X509Certificate[] chain = (X509Certificate[]) request.getAttribute("javax.servlet.request.X509Certificate");
        return (chain == null ? "none" : chain.length + " certificate") + ", "
                + request.getAttribute("javax.servlet.request.cipher_suite") + ", "
                + request.getAttribute("javax.servlet.request.key_size") + ", "
                + request.getAttribute("javax.servlet.request.ssl_session_id");
    }

    private static String ask(Deployed server, String... fields) throws Exception {
        HttpRequest.Builder request = server.request("/");
        for (int i = 0; i < fields.length; i += 2) {
            request.header(fields[i], fields[i + 1]);
        }
        return server.send(request).body();
    }

    private static Deployed believing(String addresses) throws IOException {
        return Deployed.of(application().before(CertificateFields.trusting(AddressSet.parse(addresses))::wrap));
    }

    @Test
    void isTheClients() throws Exception {
        try (Deployed server = believing("127.0.0.0/8")) {
            assertEquals("1 certificate, null, null, null", ask(server, "ssl_client_cert", pem.replaceAll("\\R", " ")));
            assertEquals(
                    "1 certificate, null, null, null", ask(server, "ssl_client_cert", pem.replaceAll("\\R", "\t\t")));
            String escaped = URLEncoder.encode(pem + "\n", UTF_8).replace("+", "%20");
            assertEquals(
                    "1 certificate, TLS_AES_128_GCM_SHA256, 128, ab12",
                    ask(
                            server,
                            "ssl_client_escaped_cert",
                            escaped,
                            "ssl_client_cert",
                            pem.replaceAll("\\R", " "),
                            "ssl_cipher",
                            "TLS_AES_128_GCM_SHA256",
                            "ssl_cipher_usekeysize",
                            "128",
                            "ssl_session_id",
                            "ab12"));
        }
    }

    @Test
    void isNotBelievedOfOthers() throws Exception {
        String field = pem.replaceAll("\\R", " ");
        try (Deployed server = believing("10.0.0.0/8")) {
            assertEquals("none, null, null, null", ask(server, "ssl_client_cert", field, "ssl_cipher", "X"));
        }
        try (Deployed server = believing("")) {
            assertEquals("none, null, null, null", ask(server, "ssl_client_cert", field));
        }
        WebApplication relayed = application()
                .before(RemoteIp.trusting(HERE)::wrap)
                .before(CertificateFields.trusting(AddressSet.parse("10.0.0.7"))::wrap);
        try (Deployed server = Deployed.of(relayed)) {
            assertEquals(
                    "none, null, null, null", ask(server, "X-Forwarded-For", "10.0.0.7", "ssl_client_cert", field));
        }
    }

    /** A front end that sets one of the fields may pass the other one on. */
    @Test
    void isNoneIfTheTwoFieldsDiffer() throws Exception {
        String none = "none, null, null, null";
        String escaped = URLEncoder.encode(pem, UTF_8).replace("+", "%20");
        try (Deployed server = believing("127.0.0.1")) {
            assertEquals("1 certificate, null, null, null", ask(server, "ssl_client_escaped_cert", escaped));
            assertEquals(none, ask(server, "ssl_client_escaped_cert", escaped, "ssl_client_cert", "(null)"));
            assertEquals(none, ask(server, "ssl_client_escaped_cert", escaped, "ssl_client_cert", ""));
            assertEquals(
                    none, ask(server, "ssl_client_escaped_cert", "", "ssl_client_cert", pem.replaceAll("\\R", " ")));
        }
    }

    @Test
    void isNoneIfItIsMalformedOrSentTwice() throws Exception {
        String field = pem.replaceAll("\\R", " ");
        String none = "none, null, null, null";
        try (Deployed server = believing("127.0.0.1")) {
            assertEquals(none, ask(server, "ssl_client_cert", field, "ssl_client_cert", field));
            assertEquals(none, ask(server, "ssl_client_cert", "(null)"));
            assertEquals(none, ask(server, "ssl_client_cert", "-----BEGIN CERTIFICATE-----"));
            assertEquals(none, ask(server, "ssl_client_cert", field.substring(0, 100) + "-----END CERTIFICATE-----"));
            assertEquals(none, ask(server, "ssl_client_escaped_cert", "%zz"));
            assertEquals(none, ask(server, "ssl_cipher_usekeysize", "many"));
        }
    }

    @Test
    void isNotThatOfTheFrontEndItself() throws Exception {
        Path certificate = directory.resolve("certificate.pem");
        TlsOptions options = TlsOptions.of(TlsHost.any()
                .pem(certificate, directory.resolve("key.pem"))
                .with(TlsHost.CERTIFICATE_VERIFICATION, ClientVerification.REQUIRED)
                .with(TlsHost.CA_CERTIFICATE_FILE, certificate));
        try (TestTls tls = TestTls.create()) {
            for (boolean trusted : new boolean[] {false, true}) {
                AddressSet front = trusted ? HERE : AddressSet.parse("10.0.0.7");
                WebApplication application = application().before(CertificateFields.trusting(front)::wrap);
                try (Server server = Carrier.server(
                                        Carrier.byDefault().connector().tls(options))
                                .application(application)
                                .start();
                        RawClient client = RawClient.connect(server.port()).secured(tls)) {
                    client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    String answer = client.readTextToEnd();
                    assertTrue(answer.contains(trusted ? "none, null" : "1 certificate, TLS_"), answer);
                }
            }
        }
    }
}
