package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.millrace.standalone.probe.EchoServlet;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A WAR that uses BodyPublisher and BodySubscriber, which it does not contain, on the product: it … */
final class BodyStreamsIT {

    @TempDir
    Path work;

    @Test
    void sendsBackWhatItReads() throws Exception {
        Path classes = work.resolve("echo/WEB-INF/classes");
        Path file = classes.resolve(EchoServlet.class.getName().replace('.', '/') + ".class");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        try (InputStream in = EchoServlet.class.getResourceAsStream("EchoServlet.class")) {
            Files.copy(Objects.requireNonNull(in), file);
        }
        Files.writeString(work.resolve("echo/WEB-INF/web.xml"), """
                <web-app version="4.0">
                  <servlet>
                    <servlet-name>echo</servlet-name>
                    <servlet-class>%s</servlet-class>
                    <async-supported>true</async-supported>
                  </servlet>
                  <servlet-mapping><servlet-name>echo</servlet-name><url-pattern>/*</url-pattern></servlet-mapping>
                </web-app>
                """.formatted(EchoServlet.class.getName()));
        byte[] body = new byte[1_000_000];
        new Random(1).nextBytes(body);
        try (Product product = Product.serving(
                "run",
                "--port=0",
                "--address=127.0.0.1",
                "--work=" + work.resolve("work"),
                work.resolve("echo").toString())) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(product.url("/echo/")))
                    .timeout(Duration.ofMinutes(1))
                    .POST(BodyPublishers.ofByteArray(body))
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            assertArrayEquals(
                    body, client.send(request, BodyHandlers.ofByteArray()).body());
        }
    }
}
