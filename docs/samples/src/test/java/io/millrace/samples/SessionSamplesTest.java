package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.SessionSettings.Keeping;
import io.millrace.servlet.session.store.MemorySessionStore;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of sessions … */
@Timeout(60)
class SessionSamplesTest {

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @TempDir
    Path directory = Path.of("");

    private String get(Server server, String path) throws IOException, InterruptedException {
        return browser.send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void countOnWhicheverServerAnswers() throws Exception {
        List<WebApplication> applications = SessionSamples.cluster();
        try (Server one = Server.builder()
                        .port(0)
                        .application(applications.get(0))
                        .start();
                Server two = Server.builder()
                        .port(0)
                        .application(applications.get(1))
                        .start()) {
            assertEquals("1", get(one, "/count"));
            assertEquals("2", get(two, "/count"));
            assertEquals("3", get(two, "/count"));
            assertEquals("4", get(one, "/count"));
        }
    }

    @Test
    void countOnWithAStoreOfTheReadersOwn() throws Exception {
        SessionSamples.BytesStore store = new SessionSamples.BytesStore();
        try (Server server = Server.builder()
                .port(0)
                .application(SessionSamples.shared(store))
                .start()) {
            assertEquals("1", get(server, "/count"));
        }
        try (Server server = Server.builder()
                .port(0)
                .application(SessionSamples.shared(store))
                .start()) {
            assertEquals("2", get(server, "/count"));
        }
    }

    @Test
    void serveAWar() throws Exception {
        Path war = Files.createDirectories(directory.resolve("shop"));
        Files.writeString(war.resolve("index.html"), "<p>Shop");
        for (WebApplication application :
                List.of(SessionSamples.carried(war), SessionSamples.kept(war, directory.resolve("sessions")))) {
            try (Server server =
                    Server.builder().port(0).application(application).start()) {
                assertEquals("<p>Shop", get(server, "/"));
            }
        }
    }

    @Test
    void areKeptOverARestart() {
        assertEquals(
                Keeping.RESTART, SessionSamples.picky(new MemorySessionStore()).keeping());
    }
}
