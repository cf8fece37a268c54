package io.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.form.FormException;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.testkit.Deadline;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.servlet.MultipartConfigElement;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.annotation.MultipartConfig;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.Part;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Parameters and parts on a real server. */
@ParameterizedClass
@MethodSource("io.millrace.servlet.Carrier#whole") // megabytes a byte at a time take half a minute
final class UploadsTest {

    private final Carrier carrier;

    UploadsTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private static final long LARGE = 100L << 20;

    @TempDir
    Path directory;

    /** Configured by its annotation, though it is added in code; the location is below the application's own directory. */
    @MultipartConfig(location = "relative")
    static final class Keeping extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.getPart("f").write("kept");
            File own = (File) getServletContext().getAttribute(ServletContext.TEMPDIR);
            response.getWriter().print(Files.readString(own.toPath().resolve("relative/kept")));
        }
    }

    private Deployed app;

    @BeforeEach
    void start() throws IOException {
        app = Deployed.on(
                carrier,
                WebApplication.builder("/app")
                        .servlet("keeping", Keeping.class, "/keeping")
                        .servlet(
                                "parameters",
                                Serving.with((request, response) -> {
                                    response.setCharacterEncoding("UTF-8");
                                    for (String name : Collections.list(request.getParameterNames())) {
                                        response.getWriter().print(name + List.of(request.getParameterValues(name)));
                                    }
                                }),
                                "/parameters")
                        .servlet(
                                "wrapping",
                                Serving.with((request, response) -> {
                                    try {
                                        request.getParts();
                                    } catch (IOException | IllegalStateException e) {
                                        throw new IllegalArgumentException("upload", new ServletException(e));
                                    }
                                }),
                                registration -> {
                                    registration.addMapping("/wrapping");
                                    registration.setMultipartConfig(new MultipartConfigElement(""));
                                })
                        .servlet(
                                "upload",
                                Serving.with((request, response) -> {
                                    for (Part part : request.getParts()) {
                                        response.getWriter()
                                                .print(part.getName() + "=" + part.getSubmittedFileName() + ":"
                                                        + part.getSize() + "/" + filesOnDisk() + " ");
                                    }
                                    response.getWriter().print(request.getParameter("f"));
                                }),
                                registration -> {
                                    registration.addMapping("/upload");
                                    registration.setMultipartConfig(
                                            new MultipartConfigElement(directory.toString(), LARGE, -1, 1000));
                                })
                        .build()
                        .with(ServletOptions.MAX_PARAMETER_COUNT, 5)
                        .with(ServletOptions.MAX_POST_SIZE, 100L)
                        .with(ServletOptions.MAX_PART_COUNT, 3)
                        .with(ServletOptions.MAX_PART_HEADER_SIZE, 200));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @Test
    void readsQueryAndForm() throws Exception {
        HttpResponse<String> answer = app.post(
                "/app/parameters?a=1&b=%C3%A4", "application/x-www-form-urlencoded;charset=UTF-8", "a=2&c=%C3%B6");
        assertEquals("a[1, 2]b[ä]c[ö]", answer.body());
    }

    @Test
    void answersALimitWithItsStatus() throws Exception {
        assertEquals(400, app.get("/app/parameters?a&b&c&d&e&f").statusCode());
        String form = "application/x-www-form-urlencoded";
        assertEquals(
                413, app.post("/app/parameters", form, "a=" + "x".repeat(100)).statusCode());
        assertEquals(
                413,
                app.post("/app/upload", "multipart/form-data;boundary=b", "--b\r\n\r\n\r\n".repeat(4) + "--b--")
                        .statusCode());
        assertEquals(
                400,
                app.post("/app/upload", "multipart/form-data;boundary=b", "--b\r\n")
                        .statusCode());
    }

    /** Spring, say, has exceptions of its own for what getParts throws. */
    @Test
    void answers400Or413HoweverTheApplicationWrapsTheException() throws Exception {
        String type = "multipart/form-data;boundary=b";
        assertEquals(400, app.post("/app/wrapping", type, "--b\r\nno header").statusCode());
        assertEquals(
                413,
                app.post("/app/wrapping", type, "--b\r\n\r\n\r\n".repeat(4) + "--b--")
                        .statusCode());
    }

    @Test
    void keepsALargeUploadOnDiskWhileTheRequestLasts() throws Exception {
        String head = """
                --b\r
                Content-Disposition: form-data; name="f"\r
                \r
                value\r
                --b\r
                Content-Disposition: form-data; name="up"; filename="x.bin"\r
                \r
                """;
        InputStream zeros = new InputStream() {
            private long left = LARGE;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                int n = (int) Math.min(left, length);
                left -= n;
                return n == 0 ? -1 : n;
            }
        };
        InputStream body = new SequenceInputStream(
                new java.io.ByteArrayInputStream(head.getBytes(UTF_8)),
                new SequenceInputStream(zeros, new java.io.ByteArrayInputStream("\r\n--b--\r\n".getBytes(UTF_8))));
        HttpResponse<String> answer = app.send(app.request("/app/upload")
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(BodyPublishers.ofInputStream(() -> body)));
        assertEquals("f=null:5/1 up=x.bin:" + LARGE + "/1 value", answer.body());
        assertNothingIsLeft();
    }

    @Test
    void leavesNothingBehindOfAnUploadThatIsTooLarge() throws Exception {
        String body = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n" + "x".repeat(20_000) + "\r\n--b--";
        HttpResponse<String> answer = app.post("/app/upload", "multipart/form-data;boundary=b", body);
        assertEquals(413, answer.statusCode());
        assertNothingIsLeft();
    }

    /** What was kept of a request goes when its answer is on its way. */
    private void assertNothingIsLeft() {
        Deadline.await("all files to be deleted", () -> {
            try {
                return filesOnDisk() == 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private int filesOnDisk() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return (int) files.count();
        }
    }

    @Test
    void writesAPartBelowTheApplicationsDirectoryAsTheAnnotationSays() throws Exception {
        String body =
                "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\nto be kept\r\n--B--\r\n";
        assertEquals(
                "to be kept",
                app.post("/app/keeping", "multipart/form-data; boundary=B", body)
                        .body());
    }

    @ParameterizedTest
    @CsvSource({"true, value field", "false, refused null"})
    void parsesPartsForServletsWithoutAConfigurationWhereTheOperatorAllowsIt(boolean allowed, String expected)
            throws Exception {
        WebApplication application = WebApplication.builder("/app")
                .servlet("undeclared", Serving.with(UploadsTest::printUndeclared), "/undeclared")
                .build()
                .with(ContextOptions.ALLOW_CASUAL_MULTIPART_PARSING, allowed)
                .with(ServletOptions.MAX_POST_SIZE, 1000L);
        String part = "--b\r\nContent-Disposition: form-data; name=\"";
        String body = part + "f\"; filename=\"x\"\r\n\r\nvalue\r\n" + part + "g\"\r\n\r\nfield\r\n--b--";
        try (Deployed deployed = Deployed.on(carrier, application)) {
            String type = "multipart/form-data;boundary=b";
            assertEquals(expected, deployed.post("/app/undeclared", type, body).body());
            assertEquals(
                    allowed ? 413 : 200,
                    deployed.post("/app/undeclared", type, body + "x".repeat(1000))
                            .statusCode());
        }
    }

    private static void printUndeclared(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String value;
        try {
            value = new String(request.getPart("f").getInputStream().readAllBytes(), UTF_8);
        } catch (FormException tooLarge) {
            throw tooLarge;
        } catch (IllegalStateException notConfigured) {
            value = "refused";
        }
        response.getWriter().print(value + " " + request.getParameter("g"));
    }
}
