package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.files.CacheLimits;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default servlet with Tomcat's init parameters, and Tomcat's class name, in a web.xml … */
@OnDefaultCarriers
final class DefaultServletTest {

    private final Carrier carrier;

    @TempDir
    Path base;

    private CacheLimits cache = WebApplication.FILE_CACHE;
    private @Nullable Deployed running;

    DefaultServletTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    private Deployed app() {
        return Objects.requireNonNull(running);
    }

    private Path outside() {
        return Objects.requireNonNull(base.getParent());
    }

    /** Name and value in turns. */
    private void deploy(String... parameters) throws IOException {
        deployMore("", parameters);
    }

    private void deployMore(String more, String... parameters) throws IOException {
        StringBuilder xml = new StringBuilder("<web-app version=\"3.1\"><servlet><servlet-name>default</servlet-name>"
                + "<servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>");
        for (int i = 0; i < parameters.length; i += 2) {
            xml.append("<init-param><param-name>")
                    .append(parameters[i])
                    .append("</param-name><param-value>")
                    .append(parameters[i + 1])
                    .append("</param-value></init-param>");
        }
        write("WEB-INF/web.xml", xml + "</servlet>" + more + "</web-app>");
        write("dir/b.txt", "0123456789");
        write("dir/a.txt", "a");
        write("dir/readme.html", "<b>read</b>");
        write("bom.txt", "\ufefftext");
        running = Deployed.on(
                carrier, WebApplication.war(base).contextPath("/app").fileCache(cache));
    }

    private static String filter(String type) {
        return "<filter><filter-name>f</filter-name><filter-class>" + type + "</filter-class></filter>"
                + "<filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern></filter-mapping>";
    }

    /** Among the application's classes, as it sees none of its server's. */
    private void installReplacingFilter() throws IOException {
        Class<?> filter = ReplacingFilter.class;
        Path directory =
                base.resolve("WEB-INF/classes").resolve(filter.getPackageName().replace('.', '/'));
        Files.createDirectories(directory);
        for (String name : List.of("ReplacingFilter.class", "ReplacingFilter$Replacing.class")) {
            try (InputStream in = Objects.requireNonNull(filter.getResourceAsStream(name))) {
                Files.copy(in, directory.resolve(name));
            }
        }
    }

    private Path write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
        return file;
    }

    private HttpResponse<String> get(String path, String... fields) throws Exception {
        var request = app().request(path);
        for (int i = 0; i < fields.length; i += 2) {
            request.header(fields[i], fields[i + 1]);
        }
        return app().send(request);
    }

    private HttpResponse<String> put(String path, String text, String... fields) throws Exception {
        var request = app().request(path).PUT(BodyPublishers.ofString(text));
        for (int i = 0; i < fields.length; i += 2) {
            request.header(fields[i], fields[i + 1]);
        }
        return app().send(request);
    }

    private static String field(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void listsDirectoriesIfToldAndHidesWhatIsProtected() throws Exception {
        deploy("listings", "true", "sortListings", "true", "readmeFile", "readme.html");
        HttpResponse<String> root = get("/app/");
        assertEquals(200, root.statusCode());
        assertTrue(root.body().contains("dir/"), root.body());
        assertFalse(root.body().contains("WEB-INF"), root.body());
        String page = get("/app/dir/?C=S;O=D").body();
        assertTrue(page.indexOf("b.txt") < page.indexOf("a.txt"), page);
        assertTrue(page.contains("<b>read</b>"), page);
        assertTrue(page.contains("href=\"?C=S"), page);
        assertTrue(page.contains("Millrace"), page);
        assertEquals("", field(app().send(app().request("/app/dir/").method("HEAD", BodyPublishers.noBody())), "x"));
    }

    /** In the moment between finding it and opening it, for which a filter serves that has the last word before that. */
    @Test
    void answersWithAFileThatReplacesTheOneFoundAndNothingOfThat() throws Exception {
        cache = cache.withAdmission(1);
        installReplacingFilter();
        deployMore(filter(ReplacingFilter.class.getName()), "useStrongETags", "true");
        var head = app().request("/app/dir/b.txt").method("HEAD", BodyPublishers.noBody());
        String found = field(app().send(head), "ETag");
        HttpResponse<String> other =
                get("/app/dir/b.txt?replace", "Range", "bytes=2-4", "If-Range", found, "Accept-Encoding", "gzip");
        assertEquals(200, other.statusCode());
        assertEquals("another one", other.body());
        assertEquals("", field(other, "Content-Range"));
        assertEquals("11", field(other, "Content-Length"));
    }

    @Test
    void keepsSilentAboutTheServerIfTold() throws Exception {
        deploy("listings", "true", "showServerInfo", "false");
        String page = get("/app/dir/?C=S;O=D").body();
        assertFalse(page.contains("Millrace"), page);
        assertFalse(page.contains("?C="), "nor does it offer an order that it does not keep: " + page);
    }

    @Test
    void sendsRangesAgainAndAgain() throws Exception {
        deploy();
        for (int i = 0; i < 8; i++) {
            HttpResponse<String> one = get("/app/dir/b.txt", "Range", "bytes=2-4");
            assertEquals(206, one.statusCode());
            assertEquals("234", one.body());
            assertEquals("bytes 2-4/10", field(one, "Content-Range"));
            assertEquals("0123456789", get("/app/dir/b.txt").body());
        }
        HttpResponse<String> none = get("/app/dir/b.txt", "Range", "bytes=10-");
        assertEquals(416, none.statusCode());
        assertEquals("bytes */10", field(none, "Content-Range"));
    }

    @Test
    void offersNoRangesIfTold() throws Exception {
        deploy("useAcceptRanges", "false");
        HttpResponse<String> answer = get("/app/dir/b.txt", "Range", "bytes=2-4");
        assertEquals(200, answer.statusCode());
        assertEquals("", field(answer, "Accept-Ranges"));
    }

    @Test
    void sendsCompressedSiblingsIfTold() throws Exception {
        deploy("precompressed", "br=.br,gzip=.gz");
        write("dir/b.txt.br", "brotli");
        HttpResponse<String> answer = get("/app/dir/b.txt", "Accept-Encoding", "gzip, br");
        assertEquals("brotli", answer.body());
        assertEquals("br", field(answer, "Content-Encoding"));
        assertEquals("Accept-Encoding", field(answer, "Vary"));
        assertEquals("text/plain", field(answer, "Content-Type"));
    }

    @Test
    void sendsThemNotOtherwise() throws Exception {
        deploy();
        write("dir/b.txt.gz", "zipped");
        assertEquals(
                "0123456789", get("/app/dir/b.txt", "Accept-Encoding", "gzip").body());
    }

    @Test
    void marksTagsStrongIfTold() throws Exception {
        deploy("useStrongETags", "true");
        String etag = field(get("/app/dir/b.txt"), "ETag");
        assertTrue(etag.startsWith("\""), etag);
        assertEquals(200, get("/app/dir/b.txt", "If-Match", etag).statusCode());
    }

    @Test
    void redirectsAsTold() throws Exception {
        deploy("directoryRedirectStatusCode", "308");
        HttpResponse<String> answer = get("/app/dir");
        assertEquals(308, answer.statusCode());
        assertEquals("/app/dir/", field(answer, "Location"));
    }

    @Test
    void answersPostAsGetUnlessTold() throws Exception {
        deploy();
        assertEquals("a", app().post("/app/dir/a.txt", "text/plain", "x").body());
        app().close();
        deploy("allowPostAsGet", "false");
        assertEquals(405, app().post("/app/dir/a.txt", "text/plain", "x").statusCode());
    }

    @Test
    void putsAndDeletesIfToldThatFilesMayChange() throws Exception {
        deploy("readonly", "false");
        assertEquals(201, put("/app/new.txt", "new").statusCode());
        assertEquals("new", get("/app/new.txt").body());
        assertEquals(204, put("/app/new.txt", "newer").statusCode());
        assertEquals("newer", get("/app/new.txt").body());
        assertEquals(
                204, put("/app/new.txt", "XY", "Content-Range", "bytes 1-2/5").statusCode());
        assertEquals("nXYer", Files.readString(base.resolve("new.txt")));
        assertEquals(
                400, put("/app/new.txt", "XY", "Content-Range", "bytes 2-1/5").statusCode());
        assertEquals(412, put("/app/new.txt", "x", "If-None-Match", "*").statusCode());
        var delete = app().request("/app/new.txt").DELETE();
        assertEquals(204, app().send(delete).statusCode());
        assertEquals(404, app().send(app().request("/app/new.txt").DELETE()).statusCode());
        String allowed = field(app().send(app().request("/app/x").method("OPTIONS", BodyPublishers.noBody())), "Allow");
        assertEquals("OPTIONS, GET, HEAD, POST, PUT, DELETE", allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/app/WEB-INF/x.txt",
                "/app/web-inf/web.xml",
                "/app/META-INF/x",
                "/app/nowhere/x.txt",
                "/app/dir",
                "/app/link/x.txt",
            })
    void putsNothingElsewhere(String path) throws Exception {
        Files.createSymbolicLink(base.resolve("link"), outside());
        deploy("readonly", "false");
        int status = put(path, "evil").statusCode();
        assertTrue(status == 404 || status == 409, "status " + status);
        assertFalse(Files.exists(outside().resolve("x.txt")));
        assertFalse(Files.exists(base.resolve("WEB-INF/x.txt")));
    }

    @Test
    void servesTheResourcesOfJars() throws Exception {
        String text = "jar".repeat(carrier.many(50_000));
        Path jar = Files.createDirectories(base.resolve("WEB-INF/lib")).resolve("r.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("META-INF/resources/in/jar.txt"));
            zip.write(text.getBytes(StandardCharsets.US_ASCII));
            zip.closeEntry();
        }
        deploy("listings", "true");
        for (int i = 0; i < 8; i++) {
            assertEquals(text, get("/app/in/jar.txt").body());
            assertEquals("arj", get("/app/in/jar.txt", "Range", "bytes=100-102").body());
        }
        int end = text.length();
        assertEquals(
                "rja",
                get("/app/in/jar.txt", "Range", "bytes=" + (end - 4) + "-" + (end - 2))
                        .body());
        assertTrue(get("/app/in/").body().contains("jar.txt"));
    }

    @Test
    void standsBehindFilters() throws Exception {
        deployMore(filter("org.apache.catalina.filters.SetCharacterEncodingFilter"));
        String large = "large".repeat(carrier.many(100_000));
        write("large.txt", large);
        for (int i = 0; i < 8; i++) {
            assertEquals("a", get("/app/dir/a.txt").body());
            assertEquals(large, get("/app/large.txt").body());
            assertEquals("gel", get("/app/large.txt", "Range", "bytes=3-5").body());
        }
    }

    @Test
    void servesAPathOfItsOwn() throws Exception {
        deployMore("<servlet><servlet-name>more</servlet-name><servlet-class>"
                + "org.apache.catalina.servlets.DefaultServlet</servlet-class><init-param><param-name>listings</param-name>"
                + "<param-value>true</param-value></init-param></servlet><servlet-mapping><servlet-name>more"
                + "</servlet-name><url-pattern>/dir/*</url-pattern></servlet-mapping>");
        assertEquals(200, get("/app/dir/").statusCode());
        assertEquals(404, get("/app/").statusCode());
        for (int i = 0; i < 8; i++) {
            assertEquals("a", get("/app/dir/a.txt").body());
        }
    }

    @Test
    void saysWhatIsWrongWithAParameter() throws Exception {
        deploy("directoryRedirectStatusCode", "200");
        assertEquals(500, get("/app/dir/a.txt").statusCode());
    }

    @Test
    void seesAFileThatIsReplacedWhenTheSystemTells() throws Exception {
        cache = WebApplication.FILE_CACHE.withFreshness(Duration.ofHours(1));
        deploy();
        for (int i = 0; i < 8; i++) {
            assertEquals("a", get("/app/dir/a.txt").body());
        }
        write("dir/a.txt", "other");
        Deadline.await("the other file", () -> body("/app/dir/a.txt").equals("other"));
    }

    private String body(String path) {
        try {
            return get(path).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void seesAFileThatIsReplacedAtOnceIfNothingIsToBeKept() throws Exception {
        cache = CacheLimits.NONE;
        deploy();
        for (int i = 0; i < 8; i++) {
            assertEquals("a", get("/app/dir/a.txt").body());
        }
        write("dir/a.txt", "b");
        Files.setLastModifiedTime(base.resolve("dir/a.txt"), FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
        assertEquals("b", get("/app/dir/a.txt").body());
    }

    @Test
    void seesAFileThatIsReplacedWhileItIsKnown() throws Exception {
        deploy("useStrongETags", "true");
        for (int i = 0; i < 8; i++) {
            assertEquals("a", get("/app/dir/a.txt").body());
        }
        write("dir/a.txt", "other");
        HttpResponse<String> answer = get("/app/dir/a.txt");
        assertTrue(answer.body().equals("a") || answer.body().equals("other"), answer.body());
        assertEquals(String.valueOf(answer.body().length()), field(answer, "Content-Length"));
    }
}
