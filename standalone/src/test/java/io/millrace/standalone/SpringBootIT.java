package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A WAR of Spring Boot 2.7, with Logback and its bridge from java.util.logging, in webapps … */
@NullUnmarked
@Tag("wars")
final class SpringBootIT {

    private static final Pattern SERVER_LINE =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)"
                    + " (ERROR|WARN |INFO ) \\[[^]]+] MILLRACE.*");

    @TempDir
    private Path base;

    private Product product;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0" address="127.0.0.1"/><Engine defaultHost="localhost">
                <Host name="localhost" backgroundProcessorDelay="1"/></Engine></Service></Server>
                """);
        Path webapps = Files.createDirectories(base.resolve("webapps"));
        Files.copy(Product.SPRING_BOOT, webapps.resolve("chat.war"));
        product = Product.process().serving("start", "--base=" + base);
    }

    @AfterEach
    void stop() {
        product.close();
    }

    @Test
    void leavesTheServersLogAsItIsWhileItRunsAndWhenItIsUndeployed() throws Exception {
        assertEquals("Hello, Ada", Curl.run(product.url("/chat/hello?name=Ada")));
        product.awaitLine("Ada says hello");
        assertEquals(400, Curl.status(product.url("/chat/hello")));
        assertTrue(Curl.run(product.url("/chat/")).contains("not yet"), "its static page");
        deploy("during");

        Files.delete(base.resolve("webapps/chat.war"));
        product.awaitLine("MILLRACE4771: Undeployed " + base.resolve("webapps/chat.war"));
        Deadline.await("404", () -> status("/chat/hello?name=Ada") == 404);
        deploy("after");
        assertEquals(0, product.terminate().exitStatus());
        assertTrue(product.has("MILLRACE0604: Stopped"), product.output());

        List<String> ours = product.lines().stream()
                .filter(line -> line.contains("MILLRACE"))
                .toList();
        assertEquals(ours.size(), new HashSet<>(ours).size(), "each once: " + product.output());
        assertEquals(
                List.of(),
                ours.stream()
                        .filter(line -> !SERVER_LINE.matcher(line).matches())
                        .toList());
    }

    private void deploy(String name) throws IOException {
        Path directory = Files.createDirectories(base.resolve("webapps").resolve(name));
        Files.writeString(directory.resolve("index.html"), name);
        product.awaitLine("MILLRACE4770: Deployed " + directory);
    }

    private int status(String path) {
        try {
            return Curl.status(product.url(path));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
