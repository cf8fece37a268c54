package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of web applications … */
@Timeout(60)
class ServletsTest {

    @TempDir
    Path directory = Path.of("");

    @Test
    void serveAWar() throws Exception {
        Files.writeString(directory.resolve("index.html"), "<p>Shop");
        try (Server server = GettingStarted.war(directory)) {
            assertEquals("<p>Shop", new Client(server).get("/shop/").body());
        }
    }

    @Test
    void servePages() throws Exception {
        Files.writeString(directory.resolve("hello.jsp"), "<p>${1 + 1}");
        try (Server server = Servlets.pages(directory)) {
            assertEquals("<p>2", new Client(server).get("/hello.jsp").body());
        }
    }

    @Test
    void serveAServlet() throws Exception {
        try (Server server = Servlets.inCode()) {
            assertEquals(
                    "Hello, you",
                    new Client(server).get("/app/hello?name=you").body().trim());
        }
    }

    @Test
    void echoABody() throws Exception {
        try (Server server = Servlets.echo()) {
            String body = "to and fro ".repeat(100_000);
            assertEquals(body, new Client(server).post("/echo", body).body());
        }
    }
}
