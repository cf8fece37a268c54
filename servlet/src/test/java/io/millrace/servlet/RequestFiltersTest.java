package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.filter.AddDefaultCharsetFilter;
import io.millrace.servlet.filter.FailedRequestFilter;
import io.millrace.servlet.filter.RateLimitFilter;
import io.millrace.servlet.filter.RequestDumperFilter;
import io.millrace.servlet.filter.SessionInitializerFilter;
import io.millrace.servlet.filter.WebdavFixFilter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter of Tomcat's … */
final class RequestFiltersTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @Test
    void limitsTheRate() throws Exception {
        try (Deployed app = Filtered.deploy(
                new RateLimitFilter(),
                (request, response) -> response.getWriter()
                        .print(request.getAttribute("org.apache.catalina.filters.RateLimitFilter.Count")),
                "bucketDuration",
                "86400",
                "bucketRequests",
                "2",
                "statusCode",
                "503",
                "exposeHeaders",
                "true",
                "policyName",
                "p")) {
            HttpResponse<String> first = app.get("/app/x");
            assertEquals("1", first.body());
            assertEquals(
                    "\"p\";q=2;w=86400",
                    first.headers().firstValue("RateLimit-Policy").orElse(""));
            assertEquals("\"p\";r=1", first.headers().firstValue("RateLimit").orElse(""));
            assertEquals(200, app.get("/app/x").statusCode());
            assertEquals(503, app.get("/app/x").statusCode());
        }
    }

    @Test
    void leavesTheRateToTheApplicationIfTold() throws Exception {
        try (Deployed app = Filtered.deploy(
                new RateLimitFilter(),
                (request, response) -> response.getWriter()
                        .print(request.getAttribute("org.apache.catalina.filters.RateLimitFilter.Count")),
                "bucketRequests",
                "1",
                "bucketDuration",
                "86400",
                "enforce",
                "false")) {
            assertEquals("1", app.body("/app/x"));
            assertEquals("2", app.body("/app/x"));
        }
    }

    @Test
    void refusesFormsThatCantBeReadBeforeTheApplicationSeesThem() throws Exception {
        String many = IntStream.range(0, 20_000).mapToObj(i -> "p" + i + "=v").collect(Collectors.joining("&"));
        try (Deployed app = Filtered.deploy(
                new FailedRequestFilter(),
                (request, response) -> response.getWriter().print("in"))) {
            assertEquals("in", app.post("/app/x", FORM, "a=b").body());
            assertEquals(400, app.post("/app/x", FORM, many).statusCode());
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            text/html,                 UTF-8,   text/html;charset=UTF-8
            text/html,                 -,       text/html;charset=ISO-8859-1
            TEXT/css,                  default, TEXT/css;charset=ISO-8859-1
            text/html;charset=UTF-16,  UTF-8,   text/html;charset=UTF-16
            image/png,                 UTF-8,   image/png
            """)
    void addsAnEncoding(String type, String encoding, String expected) throws Exception {
        Serving.Action byMethod = (request, response) -> {
            response.setContentType(type);
            response.getOutputStream().write('x');
        };
        Serving.Action byField = (request, response) -> {
            response.setHeader("Content-Type", type);
            response.getOutputStream().write('x');
        };
        String[] parameters = encoding == null ? new String[0] : new String[] {"encoding", encoding};
        for (Serving.Action action : new Serving.Action[] {byMethod, byField}) {
            try (Deployed app = Filtered.deploy(new AddDefaultCharsetFilter(), action, parameters)) {
                assertEquals(
                        expected,
                        app.get("/app/x").headers().firstValue("Content-Type").orElse(""));
            }
        }
    }

    @Test
    void beginsASession() throws Exception {
        try (Deployed app = Filtered.deploy(
                new SessionInitializerFilter(),
                (request, response) -> response.getWriter().print(request.getSession(false) != null))) {
            assertEquals("true", app.body("/app/x"));
        }
    }

    @Test
    void leadsAnOldWebDavClientToAUrlWithAPort() throws Exception {
        try (Deployed app = Filtered.deploy(
                new WebdavFixFilter(),
                (request, response) -> response.getWriter().print("in"))) {
            HttpResponse<String> old =
                    app.send(app.request("/app/x").header("User-Agent", "Microsoft-WebDAV-MiniRedir/5.1.2600"));
            assertEquals(302, old.statusCode());
            assertEquals(
                    "http://127.0.0.1:" + app.port() + "/app/x",
                    old.headers().firstValue("Location").orElse(""));
            assertEquals(
                    "in",
                    app.send(app.request("/app/x").header("User-Agent", "Microsoft-WebDAV-MiniRedir/10.0"))
                            .body());
        }
    }

    @Test
    void dumpsRequestsWithoutLettingClientsWriteLines() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler recorder = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("org.apache.catalina.filters.RequestDumperFilter");
        logger.addHandler(recorder);
        try (Deployed app =
                Filtered.deploy(new RequestDumperFilter(), (request, response) -> response.setStatus(204))) {
            app.post("/app/x?a=b%0Ac", FORM, "d=e");
        } finally {
            logger.removeHandler(recorder);
        }
        assertEquals(2, lines.size());
        assertTrue(lines.get(0).startsWith("Request POST /app/x\n"), lines.get(0));
        assertTrue(lines.get(0).contains("\nparameter=a=b\\u000ac\n"), lines.get(0));
        assertTrue(lines.get(0).contains("\nparameter=d=e\n"), lines.get(0));
        assertTrue(lines.get(1).contains("\nstatus=204"), lines.get(1));
    }
}
