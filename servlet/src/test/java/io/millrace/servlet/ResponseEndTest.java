package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.http.HttpRequest;
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
            assertTrue(redirect.headers().firstValue("Location").orElse("").endsWith("/there"));
            assertEquals("", redirect.body());
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
    void tellsHowLargeItsBufferIsUntilTheBodyBegins() throws Exception {
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
