package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the cluster page … */
final class ClusterSamplesTest {

    @TempDir
    private Path war = Path.of("");

    @Test
    void servePagesWithoutASessionBeforeRedisIsThere() throws Exception {
        assertServed(ClusterSamples.shared(war));
    }

    @Test
    void servePagesWithoutASessionBeforeTheOtherServersAreThere() throws Exception {
        assertServed(ClusterSamples.inMemory(war));
    }

    private void assertServed(WebApplication application) throws Exception {
        Files.writeString(war.resolve("index.html"), "<p>Shop");
        try (Server server = Server.builder().port(0).application(application).start()) {
            URI page = URI.create("http://localhost:" + server.port() + "/");
            assertEquals(
                    "<p>Shop",
                    HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                            .body());
        }
    }
}
