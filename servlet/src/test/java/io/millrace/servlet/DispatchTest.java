package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class DispatchTest {

    private static final List<String> PARTS =
            List.of("request_uri", "context_path", "servlet_path", "path_info", "query_string");

    private final Deployed app;

    private static String attributes(ServletRequest request, String kind) {
        return PARTS.stream()
                .map(part -> Objects.toString(request.getAttribute("javax.servlet." + kind + "." + part), "-"))
                .collect(Collectors.joining(" "));
    }

    private static String paths(HttpServletRequest request) {
        return request.getRequestURI() + " " + request.getServletPath() + " " + request.getPathInfo() + " "
                + request.getQueryString() + " " + request.getDispatcherType();
    }

    DispatchTest(Carrier carrier) throws Exception {
        app = Deployed.on(
                carrier,
                WebApplication.builder("/c")
                        .servlet("target", Serving.with(DispatchTest::target), "/target/*")
                        .servlet("forward", Serving.with(DispatchTest::forward), "/forward/*")
                        .servlet("include", Serving.with(DispatchTest::include), "/include/*")
                        .servlet(
                                "again",
                                Serving.with((request, response) -> request.getRequestDispatcher("/target/x")
                                        .forward(request, response)),
                                "/again"));
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    private static void target(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.setHeader("X-Target", "yes");
        response.setStatus(201);
        response.getWriter()
                .println("[" + paths(request) + " p=" + Arrays.toString(request.getParameterValues("p")) + "]");
        response.getWriter().println("forward: " + attributes(request, "forward"));
        response.getWriter().println("include: " + attributes(request, "include"));
    }

    private static void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.getWriter().print("dropped");
        String to = request.getParameter("to");
        if (to.startsWith("name:")) {
            request.getServletContext().getNamedDispatcher(to.substring(5)).forward(request, response);
        } else {
            request.getRequestDispatcher(to).forward(new HttpServletRequestWrapper(request), response);
        }
        response.getWriter().print("dropped too");
        assertEquals("/forward", request.getServletPath());
        assertEquals(DispatcherType.REQUEST, request.getDispatcherType());
    }

    private static void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.getWriter().println("before");
        request.getRequestDispatcher(request.getParameter("to")).include(request, response);
        response.getWriter().println("after " + request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH));
    }

    @Test
    void forwardsWithTheTargetsPaths() throws Exception {
        var response = app.get("/c/forward/a?to=/target/b%3Fp=2&p=1");
        List<String> lines = response.body().lines().toList();
        assertEquals("[/c/target/b /target /b p=2 FORWARD p=[2, 1]]", lines.get(0));
        assertEquals("forward: /c/forward/a /c /forward /a to=/target/b%3Fp=2&p=1", lines.get(1));
        assertEquals("include: - - - - -", lines.get(2));
        assertEquals(3, lines.size());
        assertEquals(201, response.statusCode());
    }

    @Test
    void keepsTheFirstForwardsAttributes() throws Exception {
        assertTrue(app.body("/c/forward?to=/again").contains("forward: /c/forward /c /forward - to=/again"));
    }

    @Test
    void forwardsByNameWithoutChangingPaths() throws Exception {
        List<String> lines = app.body("/c/forward/a?to=name:target").lines().toList();
        assertEquals("[/c/forward/a /forward /a to=name:target FORWARD p=null]", lines.get(0));
        assertEquals("forward: - - - - -", lines.get(1));
    }

    @Test
    void forwardsRelatively() throws Exception {
        assertTrue(app.body("/c/forward/a?to=../target/r").startsWith("[/c/forward/../target/r /target /r "));
    }

    @Test
    void includesWithoutLettingTheHeadBeChanged() throws Exception {
        var response = app.get("/c/include/a?to=/target/b%3Fp=2&p=1");
        List<String> lines = response.body().lines().toList();
        assertEquals("before", lines.get(0));
        assertEquals("[/c/include/a /include /a to=/target/b%3Fp=2&p=1 INCLUDE p=[2, 1]]", lines.get(1));
        assertEquals("forward: - - - - -", lines.get(2));
        assertEquals("include: /c/target/b /c /target /b p=2", lines.get(3));
        assertEquals("after null", lines.get(4));
        assertEquals(200, response.statusCode());
        assertTrue(response.headers().firstValue("X-Target").isEmpty());
    }
}
