package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.Objects;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The mapping that led to a servlet (Servlet 4.0, HttpServletRequest.getHttpServletMapping) … */
@OnDefaultCarriers
final class ServletMappingTest {

    private final Deployed app;

    ServletMappingTest(Carrier carrier) throws Exception {
        app = Deployed.on(
                carrier,
                WebApplication.builder("/c")
                        .servlet("shown", Serving.with(ServletMappingTest::show), "/exact", "/path/*", "*.ext", "", "/")
                        .servlet("forward", Serving.with(ServletMappingTest::forward), "/forward/*")
                        .servlet("include", Serving.with(ServletMappingTest::include), "/include/*")
                        .servlet("async", Serving.with(ServletMappingTest::async), "/async/*"));
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    private static String text(Object mapping) {
        return mapping instanceof HttpServletMapping found
                ? found.getMappingMatch().name().toLowerCase(Locale.ROOT) + " '" + found.getPattern() + "' '"
                        + found.getMatchValue() + "' " + found.getServletName()
                : "none";
    }

    private static String attribute(ServletRequest request, String kind) {
        return text(request.getAttribute("javax.servlet." + kind + ".mapping"));
    }

    private static void show(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.getWriter()
                .print(text(request.getHttpServletMapping()) + "; forward " + attribute(request, "forward")
                        + "; include " + attribute(request, "include") + "; async " + attribute(request, "async"));
    }

    private static void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String to = request.getParameter("to");
        Objects.requireNonNull(
                        to.startsWith("/")
                                ? request.getRequestDispatcher(to)
                                : request.getServletContext().getNamedDispatcher(to))
                .forward(request, response);
    }

    private static void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
        Objects.requireNonNull(request.getRequestDispatcher(request.getParameter("to")))
                .include(request, response);
    }

    private static void async(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync().dispatch(request.getParameter("to"));
    }

    /** Those of the method's own documentation. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            /exact        | exact '/exact' 'exact' shown
            /path         | path '/path/*' '' shown
            /path/a/b     | path '/path/*' 'a/b' shown
            /a.ext        | extension '*.ext' 'a' shown
            /x/a.ext      | extension '*.ext' 'x/a' shown
            /             | context_root '' '' shown
            /index.html   | default '/' '' shown
            """)
    void reportsKindPatternAndValueOfAMapping(String path, String mapping) throws Exception {
        assertEquals(mapping + "; forward none; include none; async none", app.body("/c" + path));
    }

    @Test
    void isThatOfTheTargetInAForwardAndTheFirstOneAnAttribute() throws Exception {
        assertEquals(
                "extension '*.ext' 'a' shown; forward path '/forward/*' 'x' forward; include none; async none",
                app.body("/c/forward/x?to=/a.ext"));
    }

    /** A dispatcher by name has no path. */
    @Test
    void isTheLastOneThatWasAppliedIfTheTargetIsReachedByItsName() throws Exception {
        assertEquals(
                "path '/forward/*' 'x' forward; forward none; include none; async none",
                app.body("/c/forward/x?to=shown"));
    }

    @Test
    void isThatOfTheFirstServletInAnIncludeAndTheTargetsAnAttribute() throws Exception {
        assertEquals(
                "path '/include/*' 'x' include; forward none; include exact '/exact' 'exact' shown; async none",
                app.body("/c/include/x?to=/exact"));
    }

    /** As in Tomcat: the paths are the target's, and the mapping is theirs. */
    @Test
    void isThatOfTheTargetInAnAsynchronousDispatchAndTheFirstOneAnAttribute() throws Exception {
        assertEquals(
                "path '/path/*' 'p' shown; forward none; include none; async path '/async/*' 'x' async",
                app.body("/c/async/x?to=/path/p"));
    }

    @Test
    void isThatOfThePathsThroughSeveralDispatches() throws Exception {
        assertEquals(
                "path '/include/*' 'y' include; forward path '/forward/*' 'x' forward;"
                        + " include exact '/exact' 'exact' shown; async none",
                app.body("/c/forward/x?to=/include/y%3Fto%3D/exact"));
    }
}
