package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.rewrite.RewriteRules;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.UnavailableException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class ErrorTest {

    private final Carrier carrier;
    private final Deployed app;

    /** Throws what is asked for. */
    private static final class Throwing extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.setHeader("X-Kept", "yes");
            response.setContentType("application/x-thing");
            response.getOutputStream().print("half of it");
            switch (request.getParameter("what")) {
                case "runtime" -> throw new IllegalArgumentException("<secret>");
                case "io" -> throw new FileNotFoundException("gone");
                case "wrapped" -> throw new ServletException(new FileNotFoundException("inside"));
                case "late" -> {
                    response.flushBuffer();
                    throw new IllegalStateException("late");
                }
                case "unavailable" -> throw new UnavailableException("busy", 7);
                default -> response.sendError(Integer.parseInt(request.getParameter("what")), "told <you>");
            }
        }
    }

    ErrorTest(Carrier carrier) throws Exception {
        this.carrier = carrier;
        app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("throwing", new Throwing(), "/throw")
                        .servlet("unavailable", new Throwing(), "/unavailable")
                        .servlet("page", Serving.with(ErrorTest::page), "/page")
                        .servlet(
                                "broken",
                                Serving.with((request, response) -> {
                                    throw new IllegalStateException("page broken");
                                }),
                                "/broken")
                        .errorPage(418, "/page")
                        .errorPage(419, "/broken")
                        .errorPage(420, "/missing")
                        .errorPage(IOException.class, "/page"));
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    /** As Valves of a Context in Tomcat. */
    @Test
    void showsItsPagesForWhatHandlersBeforeTheApplicationRefuse() throws Exception {
        RewriteRules rules = RewriteRules.parse(
                "RewriteRule ^/gone$ - [G]\nRewriteRule ^/forbidden$ - [F]\nRewriteRule ^/odd$ - [R=402]",
                Path.of(""),
                RewriteRules.NO_CLASSES);
        WebApplication application = WebApplication.builder("/t")
                .servlet("page", Serving.with(ErrorTest::page), "/page")
                .errorPage(410, "/page")
                .errorPage(403, "/nothing-here")
                .build()
                .rewrite(rules)
                .before(next -> (NonBlockingHandler) exchange -> {
                    if (exchange.request().path().raw().endsWith("/filtered")) {
                        Responses.error(exchange, 410);
                    } else {
                        exchange.dispatch(next);
                    }
                });
        try (Deployed deployed = Deployed.on(carrier, application)) {
            for (String path : List.of("/t/gone", "/t/filtered")) {
                HttpResponse<String> gone = deployed.get(path);
                assertEquals(410, gone.statusCode());
                assertTrue(gone.body().startsWith("410 null  " + path + " "), gone.body());
                assertTrue(gone.body().endsWith(" ERROR"), gone.body());
            }
            HttpResponse<String> forbidden = deployed.get("/t/forbidden");
            assertEquals(403, forbidden.statusCode());
            assertTrue(forbidden.body().contains("Access to this is not allowed."), forbidden.body());
            assertEquals(402, deployed.get("/t/odd").statusCode());
        }
    }

    private static void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) + " "
                        + request.getAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE) + " "
                        + request.getAttribute(RequestDispatcher.ERROR_MESSAGE) + " "
                        + request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) + " "
                        + request.getAttribute(RequestDispatcher.ERROR_SERVLET_NAME) + " "
                        + request.getDispatcherType());
    }

    @Test
    void showsThePageOfAStatusAndKeepsTheStatus() throws Exception {
        var response = app.get("/throw?what=418");
        assertEquals(418, response.statusCode());
        assertEquals("418 null told <you> /throw throwing ERROR", response.body());
        assertEquals("yes", response.headers().firstValue("X-Kept").orElse(""));
    }

    @Test
    void showsThePageOfAnException() throws Exception {
        var response = app.get("/throw?what=io");
        assertEquals(500, response.statusCode());
        assertEquals("500 class java.io.FileNotFoundException gone /throw throwing ERROR", response.body());
    }

    @Test
    void looksIntoAServletException() throws Exception {
        assertTrue(app.body("/throw?what=wrapped").startsWith("500 class java.io.FileNotFoundException "));
    }

    @Test
    void saysNoMoreThanTheStatusWithoutAPage() throws Exception {
        var response = app.send(app.request("/throw?what=runtime").header("Accept", "text/html"));
        assertEquals(500, response.statusCode());
        assertTrue(response.body().contains("500 Internal Server Error"));
        assertFalse(response.body().contains("secret"));
        assertFalse(response.body().contains("half"));
        assertEquals(
                "text/html;charset=utf-8",
                response.headers().firstValue("Content-Type").orElse(""));
    }

    @Test
    void escapesTheMessage() throws Exception {
        var response = app.send(app.request("/throw?what=404").header("Accept", "text/html"));
        assertTrue(response.body().contains("told &lt;you&gt;"));
    }

    @Test
    void survivesABrokenErrorPage() throws Exception {
        assertEquals(419, app.get("/throw?what=419").statusCode());
        assertEquals(420, app.get("/throw?what=420").statusCode());
    }

    @Test
    void cutsOffAResponseThatFailsHalfway() {
        assertThrows(IOException.class, () -> app.get("/throw?what=late"));
    }

    @Test
    void takesAServletTemporarilyOutOfService() throws Exception {
        var first = app.get("/unavailable?what=unavailable");
        assertEquals(503, first.statusCode());
        assertEquals("7", first.headers().firstValue("Retry-After").orElse(""));
        assertEquals(503, app.get("/unavailable?what=404").statusCode());
        assertEquals(404, app.get("/throw?what=404").statusCode());
    }

    /** As in Tomcat; the server's own page does not repeat what the client has sent. */
    @Test
    void namesTheResourceThatIsMissingToThePageOfTheApplication() throws Exception {
        WebApplicationBuilder paged = WebApplication.builder("/c")
                .servlet("page", Serving.with(ErrorTest::page), "/page")
                .errorPage(404, "/page");
        try (Deployed deployed = Deployed.of(paged)) {
            assertEquals(
                    "404 null The requested resource [/c/none] is not available /c/none default ERROR",
                    deployed.body("/c/none"));
        }
        assertFalse(app.body("/none").contains("/none"));
    }
}
