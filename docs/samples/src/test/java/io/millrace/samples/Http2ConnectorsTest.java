package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.testkit.TestTls;
import io.millrace.tls.TlsOptions;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sample of HTTP/2 … */
@Timeout(60)
class Http2ConnectorsTest {

    @Test
    void selectsHttp2ByAlpn(@TempDir Path directory) throws Exception {
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        TestTls.writePem(certificate, key);
        try (Server server = Server.builder()
                .connector(Http2Connectors.http2(TlsOptions.pem(certificate, key)))
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start()) {
            HttpResponse<String> answer = HttpsClient.get(server);
            assertEquals("Hello!\n", answer.body());
            assertEquals(HttpClient.Version.HTTP_2, answer.version());
        }
    }
}
