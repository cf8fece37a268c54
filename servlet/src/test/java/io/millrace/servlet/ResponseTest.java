package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.PrintWriter;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.util.Locale;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class ResponseTest {

    private final Carrier carrier;

    ResponseTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private HttpResponse<String> answer(Serving.Action action) throws Exception {
        try (Deployed app =
                Deployed.on(carrier, WebApplication.builder("/c").servlet("s", Serving.with(action), "/dir/s"))) {
            return app.get("/c/dir/s?x=1");
        }
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("-");
    }

    private String typeOf(Serving.Action action) throws Exception {
        return header(answer(action), "Content-Type");
    }

    @Test
    void writesTheCharsetOfItsWriterIntoTheHead() throws Exception {
        assertEquals("text/html;charset=ISO-8859-1", typeOf((request, response) -> {
            response.setContentType("text/html");
            response.getWriter().print("x");
        }));
        assertEquals("text/html;charset=UTF-8", typeOf((request, response) -> {
            response.setContentType("text/html; charset=UTF-8");
            response.getWriter().print("x");
            response.setContentType("text/html; charset=UTF-16"); // too late for the charset
        }));
        assertEquals("text/html;charset=UTF-8", typeOf((request, response) -> {
            response.setCharacterEncoding("UTF-8");
            response.setHeader("content-type", "text/html");
            response.getOutputStream().print("x");
        }));
        assertEquals("text/plain", typeOf((request, response) -> {
            response.setContentType("text/plain");
            response.getOutputStream().print("x");
        }));
    }

    @Test
    void takesTheCharsetOfALocaleUnlessOneWasNamed() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .model(model -> model.localeEncodings.put("ja", "Shift_JIS"))
                        .servlet(
                                "s",
                                Serving.with((request, response) -> {
                                    if (request.getParameter("named") != null) {
                                        response.setCharacterEncoding("UTF-8");
                                    }
                                    response.setLocale(Locale.JAPAN);
                                    response.setContentType("text/html");
                                    response.getWriter().print(response.getCharacterEncoding());
                                }),
                                "/s"))) {
            var response = app.get("/s");
            assertEquals("Shift_JIS", response.body());
            assertEquals("text/html;charset=Shift_JIS", header(response, "Content-Type"));
            assertEquals("ja-JP", header(response, "Content-Language"));
            assertEquals("UTF-8", app.body("/s?named=1"));
        }
    }

    @Test
    void encodesWhatIsWritten() throws Exception {
        String text = "aé€\ud83d\ude00".repeat(3000);
        for (String charset : new String[] {"UTF-8", "UTF-16", "ISO-2022-JP"}) {
            String expected = new String(text.getBytes(Charset.forName(charset)), Charset.forName(charset));
            try (Deployed app = Deployed.on(
                    carrier,
                    WebApplication.builder("")
                            .servlet(
                                    "s",
                                    Serving.with((request, response) -> {
                                        response.setContentType("text/plain;charset=" + charset);
                                        PrintWriter out = response.getWriter();
                                        for (int i = 0; i < text.length(); i += 7) {
                                            out.write(text, i, Math.min(7, text.length() - i));
                                        }
                                    }),
                                    "/s"))) {
                assertEquals(expected, app.body("/s"), charset);
            }
        }
    }

    @Test
    void hasOneOfStreamAndWriter() throws Exception {
        assertEquals(
                500,
                answer((request, response) -> {
                            response.getOutputStream();
                            response.getWriter();
                        })
                        .statusCode());
        assertEquals(
                "ok",
                answer((request, response) -> {
                            response.getOutputStream().print("dropped");
                            response.reset();
                            response.getWriter().print("ok");
                        })
                        .body());
    }

    @Test
    void forgetsWhatWasWrittenOnReset() throws Exception {
        var response = answer((request, answer) -> {
            answer.setStatus(201);
            answer.setHeader("X-Gone", "1");
            answer.setContentLength(7);
            answer.getWriter().print("dropped");
            answer.reset();
            answer.getWriter().print("kept");
        });
        assertEquals("kept", response.body());
        assertEquals(200, response.statusCode());
        assertEquals("-", header(response, "X-Gone"));
    }

    @Test
    void keepsTheHeadOnResetBuffer() throws Exception {
        var response = answer((request, answer) -> {
            answer.setHeader("X-Kept", "1");
            answer.getWriter().print("dropped");
            answer.resetBuffer();
            answer.getWriter().print("kept");
        });
        assertEquals("kept", response.body());
        assertEquals("1", header(response, "X-Kept"));
    }

    @Test
    void refusesChangesAfterTheCommit() throws Exception {
        var response = answer((request, answer) -> {
            answer.getWriter().print("a");
            answer.flushBuffer();
            answer.setHeader("X-Late", "1");
            answer.setStatus(500);
            try {
                answer.sendError(404);
            } catch (IllegalStateException expected) {
                answer.getWriter().print(answer.isCommitted() ? "b" : "?");
            }
        });
        assertEquals("ab", response.body());
        assertEquals(200, response.statusCode());
        assertEquals("-", header(response, "X-Late"));
    }

    @Test
    void redirectsWithoutABody() throws Exception {
        var response = answer((request, answer) -> {
            answer.getWriter().print("dropped");
            answer.sendRedirect("/c/other");
            answer.getWriter().print("dropped too");
        });
        assertEquals(302, response.statusCode());
        assertEquals("/c/other", header(response, "Location"));
        assertEquals("", response.body());
    }

    @Test
    void letsNothingIntoAnotherField() throws Exception {
        var response = answer((request, answer) -> {
            answer.setHeader("X-A", "1\r\nX-Evil: 2");
            answer.addHeader("X-B\r\nX-Evil", "2");
            answer.sendRedirect("/x\r\nX-Evil: 2");
        });
        assertEquals("-", header(response, "X-Evil"));
        assertTrue(header(response, "Location").endsWith("/x%0D%0AX-Evil:%202"));
    }

    @Test
    void setsAndAddsFields() throws Exception {
        var response = answer((request, answer) -> {
            answer.addIntHeader("X-N", 1);
            answer.addHeader("X-N", "2");
            answer.setDateHeader("X-D", 784111777000L);
            answer.addCookie(new Cookie("a", "b"));
            answer.getHeaders("X-N").clear();
            answer.getHeaderNames().clear();
            answer.getWriter().print(answer.getHeaders("x-n") + " " + answer.containsHeader("X-D"));
        });
        assertEquals("[1, 2] true", response.body());
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", header(response, "X-D"));
        assertTrue(header(response, "Set-Cookie").startsWith("a=b"));
    }

    @Test
    void announcesTheLengthOfWhatFitsItsBuffer() throws Exception {
        var response = answer((request, answer) -> answer.getWriter().print("12345"));
        assertEquals("5", header(response, "Content-Length"));
    }

    /** Answers HEAD as HttpServlet does: without a body, with its length. */
    private static final class Getter extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            response.getWriter().print("12345");
        }
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        try (Deployed app = Deployed.on(carrier, WebApplication.builder("").servlet("s", new Getter(), "/s"))) {
            var response = app.send(app.request("/s").method("HEAD", HttpRequest.BodyPublishers.noBody()));
            assertEquals("5", header(response, "Content-Length"));
            assertEquals("", response.body());
        }
    }

    @Test
    void sendsALargeBodyInChunks() throws Exception {
        byte[] piece = new byte[32 * 1024];
        int pieces = carrier.many(100);
        try (Deployed app = Deployed.on(
                        carrier,
                        WebApplication.builder("")
                                .servlet(
                                        "s",
                                        Serving.with((request, response) -> {
                                            for (int i = 0; i < pieces; i++) {
                                                response.getOutputStream().write(piece);
                                            }
                                        }),
                                        "/s"));
                RawClient client = RawClient.connect(app.port())) {
            client.send("GET /s HTTP/1.0\r\n\r\n");
            String head = client.readUntil("\r\n\r\n");
            assertFalse(head.contains("Content-Length"));
            assertArrayEquals(new byte[pieces * piece.length], client.readToEnd());
        }
    }
}
