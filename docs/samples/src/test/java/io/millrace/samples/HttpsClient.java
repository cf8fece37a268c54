package io.millrace.samples;

import io.millrace.Server;
import io.millrace.testkit.TestTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends requests to a server that has the testkit's certificate, in HTTP/2 if the server selects it. */
final class HttpsClient {

    private HttpsClient() {}

    static HttpResponse<String> get(Server server) throws IOException, InterruptedException, GeneralSecurityException {
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(TestTls.keyStore());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/"))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newBuilder().sslContext(context).build().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
