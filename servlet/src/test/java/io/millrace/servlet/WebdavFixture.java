package io.millrace.servlet;

import io.millrace.servlet.identity.Identity;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** An application at /app with dir/a.txt and dir/deep/b.txt, and requests of any method to it. */
abstract class WebdavFixture {

    static final String LOCK = """
            <lockinfo xmlns="DAV:"><lockscope><%s/></lockscope><locktype><write/></locktype><owner>ada</owner></lockinfo>
            """;

    static final String SET =
            "<propertyupdate xmlns='DAV:'><set><prop><c xmlns='urn:c'>slate</c></prop></set></propertyupdate>";

    @TempDir
    Path directory;

    @Nullable
    Deployed running;

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    Path base() {
        return directory.resolve("app");
    }

    void write(String name, String text) throws IOException {
        Path file = base().resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    void start(String webXml) throws IOException {
        write("WEB-INF/web.xml", webXml);
        write("dir/a.txt", "a");
        write("dir/deep/b.txt", "b");
        start();
    }

    /** With what is in its directory. Every user NAME has the role NAMEs. */
    void start() throws IOException {
        running = Deployed.of(WebApplication.war(base())
                .contextPath("/app")
                .workDirectory(directory.resolve("work"))
                .identities((name, password) -> new Identity(name, Set.of(name + "s"))));
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        Deployed app = Objects.requireNonNull(running);
        HttpRequest.Builder request = app.request("/app" + path)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return app.send(request);
    }

    int status(String method, String path, String... headers) throws Exception {
        return send(method, path, "", headers).statusCode();
    }

    /** The lock's token, or else status and body of the answer. */
    String lock(String path, String scope, String... headers) throws Exception {
        HttpResponse<String> answer = send("LOCK", path, LOCK.formatted(scope), headers);
        return answer.headers().firstValue("Lock-Token").orElse(answer.statusCode() + answer.body());
    }

    static String user(String name) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":x").getBytes(StandardCharsets.UTF_8));
    }
}
