package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.servlet.DispatcherType;
import javax.servlet.MultipartConfigElement;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import javax.servlet.http.Part;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The state of a dispatch that begins within another one (Servlet 4.0, 9): which paths and attributes the target sees, whether it may change
 * the head, whose multipart-config counts, and that wrappers stay. The request is always for {@code /first}, which leads to {@code /from}
 * by the outer dispatch, which leads to {@code /target} by the inner one.
 */
class DispatchStateTest {

    private static final List<String> KINDS = List.of("forward", "include", "async", "error");

    private static final String BODY = """
            --b
            Content-Disposition: form-data; name="a"

            value
            --b
            Content-Disposition: form-data; name="f"; filename="f"

            file
            --b--
            """.replace("\n", "\r\n");

    private static final Semaphore EARLY_SEEN = new Semaphore(0);

    private static Deployed app;

    private static final class MarkedRequest extends HttpServletRequestWrapper {
        MarkedRequest(HttpServletRequest request) {
            super(request);
        }
    }

    @BeforeAll
    static void deploy() throws Exception {
        app = Deployed.on(
                Carrier.byDefault(),
                WebApplication.builder("/c")
                        .servlet("first", Serving.with(DispatchStateTest::first), registration -> {
                            registration.addMapping("/first/*");
                            registration.setAsyncSupported(true);
                            registration.setMultipartConfig(new MultipartConfigElement(""));
                        })
                        .servlet("plain", Serving.with(DispatchStateTest::first), registration -> {
                            registration.addMapping("/plain/*");
                            registration.setAsyncSupported(true);
                        })
                        .servlet("from", Serving.with(DispatchStateTest::from), registration -> {
                            registration.addMapping("/from");
                            registration.setAsyncSupported(true);
                        })
                        .servlet("target", Serving.with(DispatchStateTest::target), registration -> {
                            registration.addMapping("/target");
                            registration.setAsyncSupported(true);
                        })
                        .servlet("upload", Serving.with(DispatchStateTest::target), registration -> {
                            registration.addMapping("/upload");
                            registration.setAsyncSupported(true);
                            registration.setMultipartConfig(new MultipartConfigElement(""));
                        })
                        .servlet("deep", Serving.with(DispatchStateTest::target), "/deep/target")
                        .servlet("to", Serving.with(DispatchStateTest::to), "/to")
                        .servlet("progress", Serving.with(DispatchStateTest::progress), "/progress")
                        .servlet("flushing", Serving.with(DispatchStateTest::flushing), "/flushing")
                        .errorPage(410, "/from")
                        .errorPage(411, "/target"));
    }

    @AfterAll
    static void undeploy() {
        app.close();
    }

    /** {@code /first/<outer>/<inner>}: "plain" for the outer one leads to the inner one at once. */
    private static void first(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String outer = request.getPathInfo().substring(1);
        if (request.getParameter("early") != null) {
            request.getParameter("a"); // asks for parameters before a servlet with a multipart-config is there
        }
        if (outer.equals("plain")) {
            from(request, response);
        } else {
            dispatch(outer, "/from", 410, request, response);
        }
    }

    private static void from(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String inner = Objects.requireNonNull(request.getParameter("inner"));
        boolean upload = "upload".equals(request.getParameter("to"));
        dispatch(inner, upload ? "/upload" : "/target", 411, request, response);
    }

    private static void dispatch(
            String kind, String path, int status, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        HttpServletRequest marked = new MarkedRequest(request);
        HttpServletResponse to = new HttpServletResponseWrapper(response);
        RequestDispatcher dispatcher = Objects.requireNonNull(request.getRequestDispatcher(path));
        switch (kind) {
            case "forward" -> dispatcher.forward(marked, to);
            case "include" -> dispatcher.include(marked, to);
            case "async" -> request.startAsync(marked, to).dispatch(path);
            case "error" -> response.sendError(status);
            default -> throw new IllegalArgumentException(kind);
        }
    }

    private static void target(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setHeader("X-Target", "set");
        List<String> seen = new ArrayList<>();
        seen.add(request.getDispatcherType() + " " + request.getServletPath());
        for (String kind : List.of("forward", "include", "async")) {
            Object path = request.getAttribute("javax.servlet." + kind + ".servlet_path");
            if (path != null) {
                seen.add(kind + " " + path);
            }
        }
        Object failed = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        if (failed != null) {
            seen.add("error " + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE));
        }
        if (response.containsHeader("X-Target")) {
            seen.add("head");
        }
        seen.add(marks(request) + " wrappers");
        if (request.getContentType() != null) {
            Collection<Part> parts = request.getParts();
            seen.add(parts.size() + " parts " + request.getParameter("a"));
        }
        response.getWriter().print(String.join(", ", seen));
    }

    private static int marks(ServletRequest request) {
        int marks = 0;
        ServletRequest at = request;
        while (at instanceof HttpServletRequestWrapper wrapper) {
            marks += at instanceof MarkedRequest ? 1 : 0;
            at = wrapper.getRequest();
        }
        return marks;
    }

    @ParameterizedTest
    @MethodSource("cells")
    void hasThePathsOfItsTarget(String outer, String inner) throws Exception {
        assertEquals(expected(outer, inner), app.body("/c/first/" + outer + "?inner=" + inner));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void keepsTheParts(String outer, String inner) throws Exception {
        assertEquals(expected(outer, inner) + ", 2 parts value", upload("/c/first/" + outer + "?inner=" + inner));
    }

    @ParameterizedTest
    @CsvSource({"plain,forward", "plain,include", "forward,forward", "include,include", "async,forward"})
    void readsThePartsForATargetWithASettingOfItsOwn(String outer, String inner) throws Exception {
        String answer = upload("/c/plain/" + outer + "?to=upload&early=1&inner=" + inner);
        assertEquals("2 parts value", answer.substring(answer.lastIndexOf(", ") + 2));
    }

    private static String upload(String path) throws Exception {
        return app.send(app.request(path)
                        .header("Content-Type", "multipart/form-data; boundary=b")
                        .POST(HttpRequest.BodyPublishers.ofString(BODY)))
                .body();
    }

    static Stream<String[]> cells() {
        return Stream.of("plain", "forward", "include", "async", "error")
                .flatMap(outer -> KINDS.stream().map(inner -> new String[] {outer, inner}))
                .filter(cell ->
                        !cell[1].equals("error") || !List.of("include", "error").contains(cell[0]));
    }

    /** An included servlet cannot send an error: that is for the addressed one. The error of an error page has no page of the application's. */
    @ParameterizedTest
    @CsvSource({"include,200,''", "error,411,be served."})
    void hasNoErrorPageWithin(String outer, int status, String text) throws Exception {
        HttpResponse<String> answer = app.get("/c/first/" + outer + "?inner=error");
        assertEquals(status, answer.statusCode());
        assertTrue(text.isEmpty() ? answer.body().isEmpty() : answer.body().contains(text), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"buffer", "writer", "stream"})
    void commitsTheResponseByAFlushWithinAnInclude(String how) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), app.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET /c/progress?how=" + how + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            StringBuilder seen = new StringBuilder();
            while (seen.indexOf("early") < 0) {
                int next = socket.getInputStream().read();
                assertTrue(next >= 0, seen::toString);
                seen.append((char) next);
            }
            EARLY_SEEN.release();
            String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(rest.contains("committed"), rest);
        }
    }

    private static void progress(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Objects.requireNonNull(request.getRequestDispatcher("/flushing")).include(request, response);
    }

    private static void flushing(HttpServletRequest request, HttpServletResponse response) throws Exception {
        boolean stream = "stream".equals(request.getParameter("how"));
        if (stream) {
            response.getOutputStream().print("early");
            response.getOutputStream().flush();
        } else {
            response.getWriter().print("early");
            if ("writer".equals(request.getParameter("how"))) {
                response.getWriter().flush();
            } else {
                response.flushBuffer();
            }
        }
        boolean seen = EARLY_SEEN.tryAcquire(20, TimeUnit.SECONDS);
        String end = seen && response.isCommitted() ? "committed" : "late";
        if (stream) {
            response.getOutputStream().print(end);
        } else {
            response.getWriter().print(end);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/target#top,FORWARD /target",
        "/target?x=1#top,FORWARD /target",
        "/deep%2Ftarget,FORWARD /deep/target",
        "/deep%2ftarget,FORWARD /deep/target",
        "/deep/./../target,FORWARD /target",
        "/deep/%2e%2e/target,none",
        "/deep/..%2Ftarget,none",
        "/deep/%2E/target,none"
    })
    void readsTheDispatchersPathAsAUrl(String path, String expected) throws Exception {
        String body = app.body("/c/to?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8));
        assertEquals(expected, body.contains(",") ? body.substring(0, body.indexOf(',')) : body);
    }

    private static void to(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        RequestDispatcher found = request.getRequestDispatcher(request.getParameter("path"));
        if (found == null) {
            response.getWriter().print("none");
        } else {
            found.forward(request, response);
        }
    }

    private static String expected(String outer, String inner) {
        List<String> seen = new ArrayList<>();
        boolean included = inner.equals("include");
        String addressed = List.of("plain", "include").contains(outer) ? "/first" : "/from";
        DispatcherType type = DispatcherType.valueOf(inner.toUpperCase(Locale.ROOT));
        seen.add(type + " " + (included ? addressed : "/target"));
        boolean forwarded = List.of("forward", "error").contains(outer)
                || List.of("forward", "error").contains(inner);
        // an asynchronous dispatch and an error page begin after the outer forward has ended
        boolean outerEnded = List.of("async", "error").contains(inner);
        if (outerEnded ? inner.equals("error") : forwarded) {
            seen.add("forward " + (outer.equals("async") && !inner.equals("error") ? "/from" : "/first"));
        }
        if (included) {
            seen.add("include /target");
        }
        if (inner.equals("async") || outer.equals("async")) {
            seen.add("async /first");
        }
        if (outer.equals("error") || inner.equals("error")) {
            seen.add("error " + (inner.equals("error") ? 411 : 410));
        }
        boolean head = !included && !(outer.equals("include") && inner.equals("forward"));
        if (head) {
            seen.add("head");
        }
        int wrappers = (outer.equals("plain") || outer.equals("error") ? 0 : 1) + 1;
        seen.add((inner.equals("error") ? 0 : wrappers) + " wrappers");
        return String.join(", ", seen);
    }
}
