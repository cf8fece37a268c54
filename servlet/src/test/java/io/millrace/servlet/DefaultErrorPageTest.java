package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The error page of the server, where an application has none … */
class DefaultErrorPageTest {

    private static final Pattern REFERENCE = Pattern.compile("[0-9A-HJKMNP-TV-Z]{8}");

    private final Recorder recorder = new Recorder();
    private final Logger logger = Logger.getLogger("io.millrace");
    private Deployed app;

    @BeforeEach
    void deploy() throws IOException {
        logger.addHandler(recorder);
        app = Deployed.of(WebApplication.builder("")
                .servlet("failing", Serving.with(DefaultErrorPageTest::answer), "/answer")
                .servlet("page", Serving.with(DefaultErrorPageTest::ownPage), "/page")
                .errorPage(418, "/page")
                .errorPage(UnsupportedOperationException.class, "/page"));
    }

    @AfterEach
    void undeploy() {
        app.close();
        logger.removeHandler(recorder);
    }

    private static void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getParameter("with")) {
            case "failure" -> throw new IllegalStateException("<secret>");
            case "refusal" -> throw new UnsupportedOperationException("<secret>");
            case "policy" -> {
                response.setHeader("Content-Security-Policy", "default-src 'self'");
                response.sendError(404);
            }
            default ->
                response.sendError(Integer.parseInt(request.getParameter("with")), request.getParameter("message"));
        }
    }

    private static void ownPage(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print("own page, " + request.getAttribute("io.millrace.error.reference"));
    }

    private HttpResponse<String> get(String with, String accept) throws Exception {
        return app.send(app.request("/answer?with=" + with).header("Accept", accept));
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html, */*;q=0.8 | text/html;charset=utf-8",
                "application/json      | application/json",
                "*/*                   | text/html;charset=utf-8",
                "text/plain            | text/plain;charset=utf-8",
            })
    void hasTheFormTheClientPrefers(String accept, String type) throws Exception {
        HttpResponse<String> response = get("404", accept);
        assertEquals(404, response.statusCode());
        assertEquals(type, field(response, "Content-Type"));
        assertEquals("Accept", field(response, "Vary"));
        assertEquals(String.valueOf(response.body().length()), field(response, "Content-Length"));
    }

    @Test
    void isADocumentThatNeedsNothingElse() throws Exception {
        HttpResponse<String> response = get("404", "text/html");
        String page = response.body();
        assertTrue(page.startsWith("<!DOCTYPE html>\n<html lang=\"en\">"), page);
        assertTrue(page.contains("<meta name=\"viewport\""), page);
        assertTrue(page.contains("<title>404 Not Found</title>"), page);
        assertTrue(page.contains("prefers-color-scheme:dark"), page);
        assertTrue(page.contains("There is nothing here."), page);
        assertFalse(page.contains("://"), page);
        assertTrue(field(response, "Content-Security-Policy").startsWith("default-src 'none'; style-src 'sha256-"));
    }

    @Test
    void leavesThePolicyOfTheApplication() throws Exception {
        HttpResponse<String> response = get("policy", "text/html");
        assertEquals(List.of("default-src 'self'"), response.headers().allValues("Content-Security-Policy"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html        | <p>a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</p>",
                "application/json | \"message\":\"a <b> & \\\"c\\\" 'd'\"}",
                "text/plain       | 404 a <b> & \"c\" 'd'",
            })
    void escapesTheMessageOfSendError(String accept, String expected) throws Exception {
        String body = get("404&message=a+%3Cb%3E+%26+%22c%22+%27d%27", accept).body();
        assertTrue(body.contains(expected), body);
    }

    @ParameterizedTest
    @CsvSource({"text/html", "application/json", "text/plain"})
    void quotesTheReferenceThatIsInTheLogOnce(String accept) throws Exception {
        HttpResponse<String> response = get("failure", accept);
        assertEquals(500, response.statusCode());
        assertFalse(response.body().contains("secret"), response.body());
        Matcher reference = REFERENCE.matcher(response.body());
        assertTrue(reference.find(), response.body());
        List<String> lines = recorder.linesWith(reference.group());
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.get(0).contains("MILLRACE4600"), lines.toString());
    }

    @Test
    void givesEachFailureAReferenceOfItsOwn() throws Exception {
        assertFalse(get("failure", "*/*").body().equals(get("failure", "*/*").body()));
    }

    @Test
    void hasNoReferenceWhereNothingIsLogged() throws Exception {
        String body = get("500", "text/plain").body();
        assertEquals("500 The server failed to answer this request.\n", body);
    }

    @Test
    void leavesTheWordToThePageOfTheApplication() throws Exception {
        assertEquals("own page, null", get("418", "application/json").body());
        String page = get("refusal", "application/json").body();
        Matcher reference = REFERENCE.matcher(page);
        assertTrue(page.startsWith("own page, ") && reference.find(), page);
        assertEquals(1, recorder.linesWith(reference.group()).size());
    }

    @Test
    void hasNoBodyWhereHeadIsAskedOrTheStatusHasNone() throws Exception {
        HttpResponse<String> head = app.send(
                app.request("/answer?with=404").header("Accept", "text/html").method("HEAD", BodyPublishers.noBody()));
        assertEquals("", head.body());
        assertEquals(String.valueOf(get("404", "text/html").body().length()), field(head, "Content-Length"));
        HttpResponse<String> unchanged = get("304", "text/html");
        assertEquals(304, unchanged.statusCode());
        assertEquals("", unchanged.body());
        assertEquals("", field(unchanged, "Content-Type"));
    }

    /** Keeps the lines of the log. */
    private static final class Recorder extends Handler {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final SimpleFormatter formatter = new SimpleFormatter();

        List<String> linesWith(String text) {
            return lines.stream().filter(line -> line.contains(text)).toList();
        }

        @Override
        public void publish(LogRecord record) {
            lines.add(formatter.formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
