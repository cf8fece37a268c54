package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handler.ErrorReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A report of errors … */
final class ErrorReportTest {

    /** An exception whose own methods fail. */
    private static final class Hostile extends IllegalStateException {

        private static final long serialVersionUID = 1;

        @Override
        public void printStackTrace(PrintWriter writer) {
            throw new IllegalArgumentException("not told");
        }
    }

    private static final class Failing extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            answer(request, response);
        }
    }

    private static Deployed with(ErrorReport... reports) throws IOException {
        WebApplication application = WebApplication.builder("")
                .servlet("failing", new Failing(), "/answer")
                .servlet("page", Serving.with((request, response) -> print(response, "own page")), "/page")
                .errorPage(418, "/page")
                .build();
        for (ErrorReport report : reports) {
            application.before(report::wrap);
        }
        return Deployed.of(application);
    }

    private static void print(HttpServletResponse response, String text) throws IOException {
        response.getWriter().print(text);
    }

    private static void answer(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        switch (request.getParameter("with")) {
            case "failure" -> throw new ServletException("outer", new IllegalStateException("<inner>\nmore"));
            case "unsupported" -> throw new ServletException(new UnsupportedOperationException("inner"));
            case "hostile" -> throw new Hostile();
            case "overflow" -> overflow(0);
            default -> response.sendError(Integer.parseInt(request.getParameter("with")), "a <message>");
        }
    }

    private static int overflow(int depth) {
        return depth < 0 ? depth : overflow(depth + 1) + 1;
    }

    private static HttpResponse<String> get(Deployed app, String with, String accept) throws Exception {
        return app.send(app.request("/answer?with=" + with).header("Accept", accept));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text/html        | <p>outer</p> | <pre>javax.servlet.ServletException: outer | <footer>Some Server</footer>
            application/json | "message":"outer"    | "throwable":["javax.servlet.ServletException: outer",  | "server":"Some Server"
            text/plain       | 500 outer            | javax.servlet.ServletException: outer      | Some Server
            """)
    void showsDetailsWhereTheyAreAskedFor(String accept, String message, String trace, String server) throws Exception {
        ErrorReport report = ErrorReport.negotiated().withDetails().withServer("Some Server");
        try (Deployed app = with(report)) {
            HttpResponse<String> response = get(app, "failure", accept);
            assertEquals(500, response.statusCode());
            String body = response.body();
            assertTrue(body.contains(message), body);
            assertTrue(body.contains(trace), body);
            assertTrue(body.contains("Caused by: java.lang.IllegalStateException"), body);
            assertTrue(body.contains(server), body);
            assertEquals("Accept", field(response, "Vary"));
        }
    }

    @Test
    void showsTheMessageOfSendErrorOnlyWithDetails() throws Exception {
        try (Deployed app = with(ErrorReport.negotiated().withDetails())) {
            String body = get(app, "404", "text/html").body();
            assertTrue(body.contains("<p>a &lt;message&gt;</p>\n<p>There is nothing here.</p>"), body);
        }
        for (String with : new String[] {"404", "failure", "hostile"}) {
            try (Deployed app = with(ErrorReport.negotiated())) {
                String body = get(app, with, "application/json").body();
                assertFalse(body.contains("message>") || body.contains("inner") || body.contains("Exception"), body);
            }
        }
    }

    @Test
    void isJsonForEverybodyWhereThatIsSaid() throws Exception {
        try (Deployed app = with(ErrorReport.json())) {
            HttpResponse<String> response = get(app, "404", "text/html");
            assertEquals("application/json", field(response, "Content-Type"));
            assertEquals("", field(response, "Vary"));
            assertEquals("{\"status\":404,\"message\":\"There is nothing here.\"}\n", response.body());
        }
    }

    @Test
    void sendsTheFileOfAStatusOrOfAnException() throws Exception {
        ErrorReport report = ErrorReport.negotiated()
                .withPage(0, bytes("<p>any é</p>"))
                .withPage(404, bytes("<p>none</p>"))
                .withPage("java.lang.UnsupportedOperationException", bytes("<p>unsupported</p>"))
                .withPage("java.lang.RuntimeException", bytes("<p>runtime</p>"));
        try (Deployed app = with(report)) {
            HttpResponse<String> other = get(app, "409", "application/json");
            assertEquals(409, other.statusCode());
            assertEquals("<p>any é</p>", other.body());
            assertEquals("text/html;charset=utf-8", field(other, "Content-Type"));
            assertEquals("", field(other, "Content-Security-Policy"));
            assertEquals("<p>none</p>", get(app, "404", "*/*").body());
            assertEquals("<p>unsupported</p>", get(app, "unsupported", "*/*").body());
            assertEquals("<p>runtime</p>", get(app, "failure", "*/*").body());
        }
    }

    @Test
    void comesAfterTheErrorPagesOfTheApplication() throws Exception {
        try (Deployed app = with(ErrorReport.negotiated().withPage(0, bytes("any")))) {
            assertEquals("own page", get(app, "418", "*/*").body());
        }
    }

    @Test
    void isTheInnermost() throws Exception {
        try (Deployed app = with(ErrorReport.json(), ErrorReport.negotiated().withPage(404, bytes("inner page")))) {
            assertEquals("inner page", get(app, "404", "*/*").body());
            assertTrue(get(app, "409", "text/plain").body().startsWith("409 "), "text, not JSON");
        }
    }

    @Test
    void survivesExceptionsThatCannotBePrintedOrAreLong() throws Exception {
        try (Deployed app = with(ErrorReport.negotiated().withDetails())) {
            HttpResponse<String> hostile = get(app, "hostile", "text/html");
            assertEquals(500, hostile.statusCode());
            assertTrue(hostile.body().contains("<pre>" + Hostile.class.getName() + "</pre>"), hostile.body());
            HttpResponse<String> overflow = get(app, "overflow", "*/*");
            assertEquals(500, overflow.statusCode());
            assertTrue(overflow.body().contains("java.lang.StackOverflowError"), overflow.body());
            assertTrue(overflow.body().length() < 40_000);
        }
    }
}
