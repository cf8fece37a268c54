package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.testkit.TestTls;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.WebSocketRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of TLS … */
@Timeout(60)
class TlsSamplesTest {

    @TempDir
    Path directory = Path.of("");

    private Path certificate = Path.of("");
    private Path key = Path.of("");

    @BeforeEach
    void writeCertificate() throws IOException {
        certificate = directory.resolve("fullchain.pem");
        key = directory.resolve("privkey.pem");
        TestTls.writePem(certificate, key);
    }

    private static Server serve(TlsOptions tls) throws IOException {
        return serve(Connector.builder().port(0).tls(tls).build());
    }

    private static Server serve(Connector connector) throws IOException {
        return Server.builder()
                .connector(connector)
                .handler(exchange ->
                        Responses.text(exchange, 200, exchange.request().scheme()))
                .start();
    }

    @Test
    void serveHttpsAndReloadTheCertificate() throws Exception {
        try (Server server = serve(Tls.simple(directory))) {
            assertEquals("https", HttpsClient.get(server).body());
            assertEquals(List.of(), Tls.reload(server));
            Files.writeString(certificate, "nonsense");
            assertEquals(1, Tls.reload(server).size());
            assertEquals("https", HttpsClient.get(server).body());
        }
    }

    @Test
    void useTheImplementationThatIsThere() throws Exception {
        try (Server server = serve(Tls.byOpenSsl(certificate, key))) {
            assertEquals("https", HttpsClient.get(server).body());
        }
    }

    @Test
    void haveSeveralHostsAndCertificates() throws Exception {
        Path keystore = directory.resolve("partners.p12");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        KeyStore own = TestTls.keyStore();
        String alias = own.aliases().nextElement();
        keys.setKeyEntry(
                alias,
                own.getKey(alias, TestTls.PASSWORD.toCharArray()),
                "changeit".toCharArray(),
                own.getCertificateChain(alias));
        try (OutputStream out = Files.newOutputStream(keystore)) {
            keys.store(out, "changeit".toCharArray());
        }
        TlsOptions tls = Tls.several(certificate, key, certificate, certificate, key, keystore, certificate);
        try (Server server = serve(tls)) {
            assertEquals("https", HttpsClient.get(server).body());
        }
    }

    @Test
    void useKeystoresThatTheProgramHasLoaded() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        KeyStore own = TestTls.keyStore();
        trusted.setCertificateEntry("partner", own.getCertificate(own.aliases().nextElement()));
        try (Server server = serve(Tls.loaded(own, TestTls.PASSWORD, trusted))) {
            assertEquals("https", HttpsClient.get(server).body());
            assertEquals(List.of(), Tls.reload(server));
        }
    }

    @Test
    void sayWhatIsWrongWithALoadedKeystore() throws Exception {
        KeyStore empty = KeyStore.getInstance("PKCS12");
        empty.load(null, null);
        KeyStore own = TestTls.keyStore();
        var noKey =
                assertThrows(TlsConfigurationException.class, () -> serve(Tls.loaded(empty, TestTls.PASSWORD, own)));
        assertTrue(
                String.valueOf(noKey.getMessage()).contains("the loaded keystore has no private key"),
                noKey.getMessage());
        var wrong = assertThrows(TlsConfigurationException.class, () -> serve(Tls.loaded(own, "wrong", own)));
        assertTrue(
                String.valueOf(wrong.getMessage()).contains("cannot be decrypted with the given password"),
                wrong.getMessage());
        var nobody =
                assertThrows(TlsConfigurationException.class, () -> serve(Tls.loaded(own, TestTls.PASSWORD, empty)));
        assertTrue(
                String.valueOf(nobody.getMessage()).contains("the loaded truststore has no trusted certificate"),
                nobody.getMessage());
    }

    @Test
    void nameAnOcspResponse() {
        Path response = directory.resolve("response.der");
        TlsHost host = Tls.stapled(certificate, key, response);
        assertEquals("shop.example.com", host.name());
    }

    @Test
    void trustTheAuthoritiesThatAClientNames() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocketListener listener = new WebSocketListener() {
            @Override
            public void onText(WebSocketConnection connection, String text) {
                answer.complete(text);
            }

            @Override
            public void onClose(WebSocketConnection connection, CloseStatus status) {
                answer.completeExceptionally(new IOException("closed: " + status));
            }
        };
        try (Server server = Server.builder()
                        .connector(Tls.simple(directory))
                        .handler(WebSocketHandler.onText((connection, text) -> connection.sendText(text)))
                        .start();
                ClientRuntime runtime = ClientRuntime.start("tls")) {
            String uri = "wss://localhost:" + server.port() + "/";
            TlsCertificate own = new TlsCertificate.Pem(certificate, key, null, Password.NONE);
            runtime.client(Tls.client(certificate, own))
                    .connect(WebSocketRequest.to(uri), listener)
                    .get(20, TimeUnit.SECONDS)
                    .sendText("trusted");
            assertEquals("trusted", answer.get(20, TimeUnit.SECONDS));
        }
    }
}
