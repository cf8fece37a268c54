package io.millrace.boot.beside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application with Spring Boot's DevTools … */
@Tag("wars")
@Timeout(400)
final class DevToolsTest {

    private static final String SOURCE = """
            package com.example;

            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.web.bind.annotation.GetMapping;
            import org.springframework.web.bind.annotation.RestController;

            @SpringBootApplication
            @RestController
            public class App {
                public static void main(String[] args) {
                    SpringApplication.run(App.class, args);
                }

                @GetMapping("/")
                String answer() {
                    return "ANSWER";
                }
            }
            """;

    /** On a machine that does other things. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @TempDir
    private Path directory = Path.of("");

    private void compile(String answer) throws IOException {
        Path source = directory.resolve("App.java");
        Files.writeString(source, SOURCE.replace("ANSWER", answer));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "--release",
                                "17",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString(),
                                source.toString()));
    }

    @Test
    void restartsOnTheSamePortWhenAClassHasChanged() throws Exception {
        int port = LocalPort.free();
        compile("first");
        Process application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        directory.resolve("classes") + File.pathSeparator + System.getProperty("java.class.path"),
                        "com.example.App",
                        "--server.port=" + port,
                        "--spring.main.web-application-type=servlet",
                        "--spring.session.store-type=none",
                        "--spring.devtools.livereload.enabled=false")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.log").toFile())
                .start();
        try {
            Deadline.await("the start", LONGEST, () -> answer(port).equals("first"));
            compile("second");
            Deadline.await("the restart", LONGEST, () -> answer(port).equals("second"));
            compile("third");
            Deadline.await("another restart", LONGEST, () -> answer(port).equals("third"));
        } catch (AssertionError failure) {
            throw new AssertionError(Files.readString(directory.resolve("output.log")), failure);
        } finally {
            application.destroyForcibly().waitFor();
        }
    }

    private static String answer(int port) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/"))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
        } catch (IOException notYet) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
