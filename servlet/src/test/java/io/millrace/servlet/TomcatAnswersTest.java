package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.HttpConstraintElement;
import javax.servlet.ServletSecurityElement;
import javax.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What applications that were written for Tomcat expect, and the specification allows or demands … */
class TomcatAnswersTest {

    @TempDir
    private Path docBase = Path.of("");

    private static WebApplicationBuilder application(Serving.Action action) {
        return WebApplication.builder("/app").servlet("s", Serving.with(action), registration -> {
            registration.addMapping("/s/*");
            registration.setAsyncSupported(true);
        });
    }

    private static HttpResponse<String> answer(WebApplicationBuilder application, String path) throws Exception {
        try (Deployed app = Deployed.on(Carrier.byDefault(), application)) {
            return app.get(path);
        }
    }

    private static void run(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(request.getMethod() + " " + request.getServletPath() + "|" + request.getPathInfo() + "|"
                        + request.getRequestURI());
    }

    @Test
    void servesTheContextPathByAServletForAllPaths() throws Exception {
        try (Deployed app = Deployed.on(
                Carrier.byDefault(),
                WebApplication.builder("/app").servlet("all", Serving.with(TomcatAnswersTest::run), "/*"))) {
            assertEquals("GET |null|/app", app.get("/app?a=b").body());
            assertEquals(
                    "POST |null|/%61pp",
                    app.send(app.request("/%61pp").POST(BodyPublishers.ofString("x")))
                            .body());
            assertEquals("GET |/|/app/", app.get("/app/").body());
        }
    }

    @Test
    void guardsTheContextPathAsThatOfItsRoot() throws Exception {
        try (Deployed app = Deployed.on(
                Carrier.byDefault(),
                WebApplication.builder("/app").servlet("all", Serving.with(TomcatAnswersTest::run), registration -> {
                    registration.addMapping("/*");
                    registration.setServletSecurity(
                            new ServletSecurityElement(new HttpConstraintElement(EmptyRoleSemantic.DENY)));
                }))) {
            assertEquals(403, app.get("/app").statusCode());
            assertEquals(403, app.get("/app/").statusCode());
        }
    }

    @Test
    void allowsAsynchronousRequestsInFiltersBeforeAServletWithoutThem() throws Exception {
        Filter first = (request, response, chain) -> {
            response.getWriter().print(request.isAsyncSupported());
            if (request.getParameter("start") == null) {
                chain.doFilter(request, response);
            } else {
                AsyncContext context = request.startAsync();
                response.getWriter().print(" started");
                context.complete();
            }
        };
        Serving.Action plain = (request, response) -> response.getWriter().print(" " + request.isAsyncSupported());
        WebApplicationBuilder application = WebApplication.builder("/app")
                .filter("first", first, registration -> {
                    registration.setAsyncSupported(true);
                    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
                })
                .servlet("plain", Serving.with(plain), registration -> {
                    registration.setAsyncSupported(false);
                    registration.addMapping("/plain");
                });
        try (Deployed app = Deployed.on(Carrier.byDefault(), application)) {
            assertEquals("true false", app.body("/app/plain"));
            assertEquals("true started", app.body("/app/plain?start"));
        }
    }

    @Test
    void sendsTheErrorThatAListenerHasSentAfterATimeout() throws Exception {
        HttpResponse<String> response = answer(
                application((request, unused) -> {
                    AsyncContext context = request.startAsync();
                    context.setTimeout(1);
                    context.addListener(new OnTimeout(503));
                }),
                "/app/s");
        assertEquals(503, response.statusCode());
    }

    @Test
    void letsAnErrorPageSendAnotherStatus() throws Exception {
        WebApplicationBuilder application = application((request, response) ->
                        response.sendError(request.getPathInfo().equals("/a") ? 410 : 411, "why"))
                .servlet("page", Serving.with((request, response) -> response.sendError(404)), "/page")
                .errorPage(410, "/page")
                .errorPage(411, "/missing");
        try (Deployed app = Deployed.on(Carrier.byDefault(), application)) {
            assertEquals(404, app.get("/app/s/a").statusCode());
            HttpResponse<String> missing = app.get("/app/s/b");
            assertEquals(411, missing.statusCode());
            assertTrue(missing.body().contains("why"), missing.body());
        }
    }

    @Test
    void hasNoPageForWhatIsNoError() throws Exception {
        HttpResponse<String> response = answer(application((request, to) -> to.sendError(302)), "/app/s");
        assertEquals(302, response.statusCode());
        assertEquals("", response.body());
    }

    @Test
    void countsAsCommittedOnceAllThatWasAnnouncedIsWritten() throws Exception {
        HttpResponse<String> response = answer(
                application((request, to) -> {
                    to.setContentLength(4);
                    to.getOutputStream().print("now");
                    to.setHeader("X-Before", to.isCommitted() + "");
                    to.getOutputStream().print("!");
                    to.setHeader("X-After", "set");
                }),
                "/app/s");
        assertEquals("now!", response.body());
        assertEquals("false", response.headers().firstValue("X-Before").orElse(""));
        assertEquals("", response.headers().firstValue("X-After").orElse(""));
    }

    @Test
    void redirectsAForwardToADirectory() throws Exception {
        Files.createDirectories(docBase.resolve("dir"));
        HttpResponse<String> response = answer(
                application((request, to) ->
                                request.getRequestDispatcher("/dir").forward(request, to))
                        .docBase(docBase),
                "/app/s");
        assertEquals(302, response.statusCode());
        assertEquals("/app/dir/", response.headers().firstValue("Location").orElse(""));
    }

    @Test
    void checksTheConditionsOfAPostAsThoseOfAPost() throws Exception {
        Files.writeString(docBase.resolve("file.txt"), "text");
        try (Deployed app =
                Deployed.on(Carrier.byDefault(), WebApplication.builder("/app").docBase(docBase))) {
            String date = app.get("/app/file.txt")
                    .headers()
                    .firstValue("Last-Modified")
                    .orElse("");
            assertEquals(
                    412,
                    app.send(app.request("/app/file.txt")
                                    .header("If-None-Match", "*")
                                    .POST(BodyPublishers.noBody()))
                            .statusCode());
            assertEquals(
                    200,
                    app.send(app.request("/app/file.txt")
                                    .header("If-Modified-Since", date)
                                    .POST(BodyPublishers.noBody()))
                            .statusCode());
        }
    }

    /** Sends an error, and leaves the rest to the container. */
    private record OnTimeout(int status) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            ((HttpServletResponse) event.getAsyncContext().getResponse()).sendError(status);
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
