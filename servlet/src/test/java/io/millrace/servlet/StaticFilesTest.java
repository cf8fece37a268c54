package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Random;
import javax.servlet.RequestDispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The default servlet on a real server. */
@OnEachCarrier
final class StaticFilesTest {

    private static final String MODIFIED = "Sat, 21 Nov 2026 01:02:03 GMT";

    private final Carrier carrier;

    @TempDir
    Path base;

    private Deployed app;
    private byte[] large = {};

    StaticFilesTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(base.resolve("page.html"), "<p>page</p>");
        Files.setLastModifiedTime(base.resolve("page.html"), FileTime.from(Instant.parse("2026-11-21T01:02:03.4Z")));
        Files.createDirectories(base.resolve("WEB-INF"));
        Files.writeString(base.resolve("WEB-INF/web.xml"), "secret");
        Files.writeString(base.resolve("WEB-INF/page.html"), "inner");
        Files.createDirectories(base.resolve("dir"));
        large = new byte[600_000];
        new Random(1).nextBytes(large);
        Files.write(base.resolve("large.bin"), large);
        app = Deployed.on(
                carrier,
                WebApplication.builder("/app")
                        .docBase(base)
                        .model(model -> model.mimeTypes.put("html", "text/html"))
                        .servlet(
                                "forward",
                                Serving.with((request, response) -> request.getRequestDispatcher("/WEB-INF/page.html")
                                        .forward(request, response)),
                                "/forward")
                        .servlet(
                                "typed",
                                Serving.with((request, response) -> {
                                    response.setContentType("text/x-own");
                                    request.getRequestDispatcher(request.getParameter("to"))
                                            .forward(request, response);
                                }),
                                "/typed")
                        .servlet(
                                "include",
                                Serving.with((request, response) -> {
                                    RequestDispatcher page = request.getRequestDispatcher("/page.html");
                                    response.getOutputStream().print("<");
                                    page.include(request, response);
                                    response.getOutputStream().print(">");
                                }),
                                "/include")
                        .servlet(
                                "writer",
                                Serving.with((request, response) -> {
                                    response.getWriter();
                                    request.getRequestDispatcher("/page.html").forward(request, response);
                                }),
                                "/writer")
                        .servlet(
                                "write",
                                Serving.with((request, response) -> {
                                    response.getWriter().print("<");
                                    request.getRequestDispatcher("/page.html").include(request, response);
                                    response.getWriter().print(">");
                                }),
                                "/write"));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @Test
    void sendsAFileWithAllThatIsKnownOfIt() throws Exception {
        HttpResponse<String> answer = app.get("/app/page.html");
        assertEquals(200, answer.statusCode());
        assertEquals("<p>page</p>", answer.body());
        assertEquals("text/html", field(answer, "Content-Type"));
        assertEquals("11", field(answer, "Content-Length"));
        assertEquals(MODIFIED, field(answer, "Last-Modified"));
        assertTrue(field(answer, "ETag").startsWith("W/\"11-"));
        assertEquals("bytes", field(answer, "Accept-Ranges"));
    }

    @Test
    void keepsATypeThatWasSetBefore() throws Exception {
        HttpResponse<String> whole = app.get("/app/typed?to=/page.html");
        assertEquals("text/x-own", field(whole, "Content-Type"));
        assertEquals("<p>page</p>", whole.body());
        HttpResponse<String> ranges =
                app.send(app.request("/app/typed?to=/large.bin").header("Range", "bytes=0-1,400000-400001"));
        assertEquals(206, ranges.statusCode());
        assertTrue(field(ranges, "Content-Type").startsWith("multipart/byteranges; boundary="));
    }

    @Test
    void sendsALargeFileWhole() throws Exception {
        assertArrayEquals(large, app.bytes("/app/large.bin"));
    }

    @Test
    void sendsTheHeadOfAHead() throws Exception {
        HttpResponse<String> answer = app.send(app.request("/app/large.bin").method("HEAD", BodyPublishers.noBody()));
        assertEquals(200, answer.statusCode());
        assertEquals("600000", field(answer, "Content-Length"));
        assertEquals("", answer.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-Modified-Since   | Sat, 21 Nov 2026 01:02:03 GMT | 304",
                "If-Modified-Since   | Sat, 21 Nov 2026 01:02:02 GMT | 200",
                "If-Modified-Since   | yesterday                     | 200",
                "If-None-Match       | *                             | 304",
                "If-None-Match       | ETAG                          | 304",
                "If-None-Match       | \"x\", ETAG                   | 304",
                "If-None-Match       | \"x\"                         | 200",
                "If-Match            | *                             | 200",
                "If-Match            | \"x\"                         | 412",
                "If-Match            | ETAG                          | 412",
                "If-Unmodified-Since | Sat, 21 Nov 2026 01:02:03 GMT | 200",
                "If-Unmodified-Since | Sat, 21 Nov 2026 01:02:02 GMT | 412",
            })
    void keepsConditions(String name, String value, int status) throws Exception {
        String etag = field(app.get("/app/page.html"), "ETag");
        HttpResponse<String> answer = app.send(app.request("/app/page.html").header(name, value.replace("ETAG", etag)));
        assertEquals(status, answer.statusCode());
        if (status == 304) {
            assertEquals("", answer.body());
            assertEquals(etag, field(answer, "ETag"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
    void refusesOtherMethods(String method) throws Exception {
        HttpResponse<String> answer = app.send(app.request("/app/page.html").method(method, BodyPublishers.noBody()));
        assertEquals(405, answer.statusCode());
        assertEquals("OPTIONS, GET, HEAD, POST", field(answer, "Allow"));
    }

    @Test
    void tellsItsMethods() throws Exception {
        HttpResponse<String> answer =
                app.send(app.request("/app/page.html").method("OPTIONS", BodyPublishers.noBody()));
        assertEquals(200, answer.statusCode());
        assertEquals("OPTIONS, GET, HEAD, POST", field(answer, "Allow"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/app/WEB-INF/web.xml",
                "/app/web-inf/web.xml",
                "/app/WEB-INF",
                "/app/WEB-INF/",
                "/app/%57EB-INF/web.xml",
                "/app/dir/../WEB-INF/web.xml",
                "/app/dir/%2e%2e/WEB-INF/web.xml",
                "/app/WEB-INF;x=y/web.xml",
                "/app//WEB-INF/web.xml",
                "/app/META-INF/x",
                "/app/nothing",
                "/app/page.html/",
                "/app/dir/",
            })
    void findsNothingThere(String path) throws Exception {
        HttpResponse<String> answer = app.get(path);
        assertEquals(404, answer.statusCode());
        assertTrue(!answer.body().contains("secret"));
    }

    @Test
    void sendsADirectorysRequestToItsSlash() throws Exception {
        HttpResponse<String> answer = app.get("/app/dir?a=b");
        assertEquals(302, answer.statusCode());
        assertTrue(field(answer, "Location").endsWith("/app/dir/?a=b"));
    }

    @ParameterizedTest
    @CsvSource({"/app/forward, inner", "/app/include, <<p>page</p>>", "/app/write, <<p>page</p>>"})
    void servesDispatchesWhateverTheMethod(String path, String body) throws Exception {
        assertEquals(body, app.body(path));
        assertEquals(body, app.post(path, "text/plain", "x").body());
    }

    /** It takes characters, and no piece of a file is those. */
    @Test
    void sendsTheWholeThroughAWriterThatWasTaken() throws Exception {
        HttpResponse<String> answer = app.send(app.request("/app/writer").header("Range", "bytes=3-6"));
        assertEquals(200, answer.statusCode());
        assertEquals("<p>page</p>", answer.body());
        assertEquals("", field(answer, "Content-Range"));
    }

    private static String field(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
