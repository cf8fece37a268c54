package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import javax.servlet.ServletException;
import javax.servlet.UnavailableException;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

/** A response is over … */
@OnEachCarrier
class ResponseEndTest {

    private final Carrier carrier;

    ResponseEndTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Deployed deploy(Serving.Action action) throws IOException {
        return Deployed.on(carrier, WebApplication.builder("").servlet("end", Serving.with(action), "/"));
    }

    @Test
    void whenAllAnnouncedBytesAreWritten() throws Exception {
        try (Deployed app = deploy((request, response) -> {
                    response.setContentLength(5);
                    response.getOutputStream().print("0123");
                    response.getOutputStream().print("4567");
                    response.getOutputStream().write('8');
                });
                RawClient client = RawClient.connect(app.port())) {
            for (int i = 0; i < 2; i++) {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                assertTrue(client.readUntil("\r\n\r\n").contains("Content-Length: 5\r\n"));
                assertEquals("01234", client.readText(5));
            }
        }
    }

    @Test
    void afterSendErrorAndSendRedirect() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            response.getWriter().print("dropped");
            assertFalse(response.isCommitted());
            if (request.getParameter("go") != null) {
                response.sendRedirect("there");
            } else {
                response.sendError(410);
            }
            response.getWriter().print("dropped too");
            assertTrue(response.isCommitted());
            assertThrows(IllegalStateException.class, () -> response.sendError(500));
            assertThrows(IllegalStateException.class, () -> response.sendRedirect("elsewhere"));
        })) {
            assertEquals(410, app.get("/").statusCode());
            assertFalse(app.body("/").contains("dropped"));
            var redirect = app.get("/?go=1");
            assertEquals(302, redirect.statusCode());
            assertEquals("there", redirect.headers().firstValue("Location").orElse(""));
            assertEquals("", redirect.body());
        }
    }

    /** Servlet 3.1, 5.3 and 5.6. */
    @Test
    void withTheHeadItHadWhenItWasEnded() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            if (request.getParameter("go") != null) {
                response.sendRedirect("/there");
            } else if (request.getParameter("close") != null) {
                response.getWriter().print("closed");
                response.getWriter().close();
            } else {
                response.sendError(410);
            }
            response.setStatus(200);
            response.setHeader("Location", "https://evil.example/");
            response.addHeader("X-Late", "1");
            response.setIntHeader("X-Late", 2);
            response.addCookie(new Cookie("late", "1"));
            response.setContentType("text/late");
            response.setContentLength(7);
            assertThrows(IllegalStateException.class, response::reset);
            assertThrows(IllegalStateException.class, response::resetBuffer);
        })) {
            var redirect = app.get("/?go=1");
            assertEquals(302, redirect.statusCode());
            assertEquals("/there", redirect.headers().firstValue("Location").orElse(""));
            assertEquals("0", redirect.headers().firstValue("Content-Length").orElse(""));
            assertLateIsMissing(redirect);
            var error = app.get("/");
            assertEquals(410, error.statusCode());
            assertLateIsMissing(error);
            var closed = app.get("/?close=1");
            assertEquals("closed", closed.body());
            assertLateIsMissing(closed);
        }
    }

    private static void assertLateIsMissing(HttpResponse<String> answer) {
        assertTrue(answer.headers().firstValue("X-Late").isEmpty());
        assertTrue(answer.headers().firstValue("Set-Cookie").isEmpty());
        assertFalse(answer.headers().firstValue("Content-Type").orElse("").contains("late"));
        assertFalse(answer.headers().firstValue("Location").orElse("").contains("evil"));
    }

    /** What a filter adds after the servlet has failed is too late, what the container adds is not. */
    @Test
    void butTheContainerStillSaysWhenToComeBack() throws Exception {
        HttpServlet failing = new HttpServlet() {

            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                response.sendError(400);
                throw new UnavailableException("later", 17);
            }
        };
        try (Deployed app = Deployed.on(carrier, WebApplication.builder("").servlet("failing", failing, "/"))) {
            var answer = app.get("/");
            assertEquals(503, answer.statusCode());
            assertEquals("17", answer.headers().firstValue("Retry-After").orElse(""));
        }
    }

    @Test
    void afterCloseAndForward() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            if (request.getParameter("close") != null) {
                response.getWriter().print("closed");
                response.getWriter().close();
            } else if (request.getServletPath().equals("/target")) {
                response.getWriter().print("forwarded");
            } else {
                request.getRequestDispatcher("/target").forward(request, response);
            }
            if (!request.getServletPath().equals("/target")) {
                assertTrue(response.isCommitted());
                response.getWriter().print(" and more");
            }
        })) {
            assertEquals("closed", app.body("/?close=1"));
            assertEquals("forwarded", app.body("/"));
        }
    }

    /** Counts on the container for HEAD, or announces its length itself. */
    private static final class Getting extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getParameter("length") != null) {
                response.setContentLength(Integer.parseInt(request.getParameter("length")));
            }
            response.getWriter().print("0123456789");
        }
    }

    @Test
    void withoutItsBodyIfItAnswersHead() throws Exception {
        try (Deployed app = Deployed.on(carrier, WebApplication.builder("").servlet("getting", new Getting(), "/"))) {
            for (String path : new String[] {"/", "/?length=10"}) {
                var head = app.send(app.request(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));
                assertEquals(200, head.statusCode());
                assertEquals("10", head.headers().firstValue("Content-Length").orElse("none"));
                assertEquals("", head.body());
                assertEquals("0123456789", app.body(path));
            }
        }
    }

    @Test
    void returnsItsBufferSizeUntilTheBodyBegins() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            response.setBufferSize(100_000);
            assertEquals(100_000, response.getBufferSize());
            response.getOutputStream().write(new byte[50_000]);
            assertFalse(response.isCommitted());
            assertThrows(IllegalStateException.class, () -> response.setBufferSize(200_000));
            response.flushBuffer();
            assertTrue(response.isCommitted());
            assertThrows(IllegalStateException.class, response::reset);
        })) {
            assertEquals(50_000, app.bytes("/").length);
        }
    }
}
