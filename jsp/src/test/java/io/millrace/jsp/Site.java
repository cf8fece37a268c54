package io.millrace.jsp;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A web application in a directory that a test writes, on a real server over NIO, and a client for it. */
final class Site implements AutoCloseable {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Path root;
    private @Nullable Server server;

    Site(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    Path work() {
        return root.resolveSibling("work");
    }

    Site with(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return this;
    }

    Site webXml(String elements) throws IOException {
        return with("WEB-INF/web.xml", "<web-app version=\"3.1\">" + elements + "</web-app>");
    }

    /** The application brings JSTL, as most do. */
    Site withJstl() throws IOException {
        Path lib = Files.createDirectories(root.resolve("WEB-INF/lib"));
        Files.copy(Path.of("target/application-jars/jstl.jar"), lib.resolve("jstl.jar"));
        return this;
    }

    /** The application brings a class of these tests. */
    Site withClass(Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path file = root.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream in = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(name))) {
            Files.write(file, in.readAllBytes());
        }
        return this;
    }

    Site start() throws IOException {
        return start(WebApplication.war(root));
    }

    Site start(WebApplication application) throws IOException {
        server = Server.builder()
                .port(0)
                .failFast(true)
                .application(application.workDirectory(work()))
                .start();
        return this;
    }

    int port() {
        Server running = server;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running.port();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The body without the blanks around it. */
    String body(String path) throws IOException, InterruptedException {
        return get(path).body().strip();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
            server = null;
        }
    }
}
