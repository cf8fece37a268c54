package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.rewrite.RewriteRules;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The context path in every spelling that a client may choose, in every kind of dispatch. */
class ContextPathTest {

    private static final List<String> SPELLINGS = List.of(
            "/extra",
            "/%65xtra",
            "/%65%78%74%72%61",
            "/extra;a=b",
            "/extra;",
            "/;a=b/extra",
            "/x/../extra",
            "/x;a=/..;b=/extra",
            "/x/%2e%2e/extra",
            "/./extra",
            "/%2E/extra",
            "/x/.././extra",
            "//extra",
            "///extra",
            "//x/../extra",
            "/.//extra",
            "/extra/../extra",
            "/extra/admin/../../extra",
            "/extra/..//%65xtra;v=1");

    private static final List<String> KINDS = List.of("forward", "include", "async", "again", "error");

    private static Deployed app;

    @BeforeAll
    static void deploy() throws Exception {
        app = Deployed.on(
                Carrier.byDefault(),
                application("/extra"),
                application("/my shop"),
                application("/größe"),
                application("/n%41"),
                application("/a+b"),
                application("/two/levels"));
    }

    private static WebApplication application(String path) {
        return WebApplication.builder(path)
                .filter("guard", guard(), registration -> {
                    for (DispatcherType type : DispatcherType.values()) {
                        registration.addMappingForUrlPatterns(EnumSet.of(type), true, "/*");
                    }
                })
                .servlet("admin", Serving.with((request, response) -> print(response, "ADMIN")), "/admin/*")
                .servlet("go", Serving.with(ContextPathTest::go), registration -> {
                    registration.addMapping("/go/*");
                    registration.setAsyncSupported(true);
                })
                .servlet("target", Serving.with(ContextPathTest::describe), "/target")
                .servlet("session", Serving.with(ContextPathTest::session), "/session")
                .servlet("links", Serving.with(ContextPathTest::links), "/links")
                .errorPage(410, "/target")
                .build()
                .rewrite(RewriteRules.parse(
                        "RewriteRule ^/old$ /target\nRewriteRule ^/moved$ /target [R]\n",
                        Path.of("."),
                        RewriteRules.NO_CLASSES));
    }

    @AfterAll
    static void undeploy() {
        app.close();
    }

    /** As public code does it. */
    private static Filter guard() {
        return (request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            String path = http.getRequestURI().substring(http.getContextPath().length());
            if (path.startsWith("/admin")) {
                ((HttpServletResponse) response).setStatus(403);
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    private static void go(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        switch (request.getPathInfo()) {
            case "/forward" -> request.getRequestDispatcher("/target").forward(request, response);
            case "/include" -> request.getRequestDispatcher("/target").include(request, response);
            case "/async" -> request.startAsync().dispatch("/target");
            case "/again" -> {
                if (request.getDispatcherType() == DispatcherType.ASYNC) {
                    describe(request, response);
                } else {
                    request.startAsync().dispatch();
                }
            }
            case "/error" -> response.sendError(410);
            default -> throw new IllegalArgumentException(request.getPathInfo());
        }
    }

    /** The context path and the rest of each URI that this dispatch shows. */
    private static void describe(HttpServletRequest request, HttpServletResponse response) throws IOException {
        StringBuilder out = new StringBuilder(rest(request.getRequestURI(), request.getContextPath()));
        for (String kind : List.of("forward", "include", "async")) {
            Object uri = request.getAttribute("javax.servlet." + kind + ".request_uri");
            if (uri != null) {
                Object context = request.getAttribute("javax.servlet." + kind + ".context_path");
                out.append(' ').append(kind).append(' ').append(rest((String) uri, (String) context));
            }
        }
        Object failed = request.getAttribute("javax.servlet.error.request_uri");
        print(response, failed == null ? out.toString() : out + " error " + failed);
    }

    private static String rest(String uri, String context) {
        return uri.startsWith(context)
                ? context + "|" + uri.substring(context.length())
                : context + " is not of " + uri;
    }

    private static void session(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Integer before = (Integer) request.getSession().getAttribute("count");
        int count = before == null ? 1 : before + 1;
        request.getSession().setAttribute("count", count);
        print(response, String.valueOf(count));
    }

    private static void links(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String id = request.getSession().getId();
        String own = request.getServletContext().getContextPath();
        print(
                response,
                String.join(
                        " ",
                        own,
                        response.encodeURL(request.getContextPath() + "/a").replace(id, "ID"),
                        response.encodeURL(own + "/a").replace(id, "ID"),
                        response.encodeURL(own + "/../other").replace(id, "ID"),
                        response.encodeURL("/other/a").replace(id, "ID"),
                        String.valueOf(request.getServletContext()
                                .equals(request.getServletContext().getContext(own)))));
    }

    private static void print(HttpServletResponse response, String text) throws IOException {
        response.setCharacterEncoding("UTF-8");
        response.getWriter().print(text);
    }

    static Stream<String> spellings() {
        return SPELLINGS.stream();
    }

    static Stream<String[]> dispatches() {
        return SPELLINGS.stream().flatMap(spelling -> KINDS.stream().map(kind -> new String[] {spelling, kind}));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void letsNoSpellingPassAGuardOfTheApplication(String spelling) throws Exception {
        assertEquals(403, app.get(spelling + "/admin/x").statusCode());
    }

    @ParameterizedTest
    @MethodSource("dispatches")
    void beginsEachUriOfEachDispatchWithItsContextPath(String spelling, String kind) throws Exception {
        HttpResponse<String> response = app.get(spelling + "/go/" + kind);
        String sent = spelling.replaceFirst("^/+", "/") + "|/go/" + kind;
        String body = response.body();
        String expected = switch (kind) {
            case "forward" -> "/extra|/target forward " + sent;
            case "include" -> sent + " include /extra|/target";
            case "async" -> "/extra|/target async " + sent;
            case "again" -> "/extra|/go/again async " + sent;
            default -> "/extra|/target forward " + sent + " error " + sent.replace("|", "");
        };
        assertEquals(expected, body);
    }

    @ParameterizedTest
    @CsvSource({
        "/my%20shop",
        "/gr%C3%B6%C3%9Fe",
        "/n%2541",
        "/a+b",
        "/two/levels",
        "/%6Dy%20shop",
        "/gr%c3%b6%c3%9fe",
        "/two;x/levels"
    })
    void servesContextsWhoseNamesAreEscaped(String context) throws Exception {
        for (String kind : List.of("forward", "include", "async", "again", "error")) {
            assertTrue(app.body(context + "/go/" + kind).contains(context + "|/go/" + kind), kind);
        }
        assertEquals(403, app.get(context + "/admin/x").statusCode());
    }

    @ParameterizedTest
    @CsvSource({"/my%20shop", "/gr%C3%B6%C3%9Fe", "/n%2541", "/extra"})
    void rewritesPathsOfContextsWhoseNamesAreEscaped(String context) throws Exception {
        assertEquals(context + "|/target", app.body(context + "/old"));
        assertEquals(
                context + "/target",
                app.get(context + "/moved").headers().firstValue("Location").orElse(""));
    }

    @ParameterizedTest
    @CsvSource({
        "/my%20shop,/my%20shop",
        "/gr%C3%B6%C3%9Fe,/gr%C3%B6%C3%9Fe",
        "/n%2541,/n%2541",
        "/a+b,/a+b",
        "/%65xtra,/extra",
        "/two/levels,/two/levels"
    })
    void keepsSessionsByAnEscapedCookiePath(String context, String path) throws Exception {
        String cookie = Objects.requireNonNull(
                app.get(context + "/session").headers().firstValue("Set-Cookie").orElse(null));
        assertTrue(cookie.contains("; Path=" + path + ";"), cookie);
        String pair = cookie.substring(0, cookie.indexOf(';'));
        assertEquals(
                "2",
                app.send(app.request(context + "/session").header("Cookie", pair))
                        .body());
    }

    @ParameterizedTest
    @CsvSource({
        "/my%20shop,/my%20shop",
        "/gr%C3%B6%C3%9Fe,/gr%C3%B6%C3%9Fe",
        "/n%2541,/n%2541",
        "/%65xtra,/extra",
        "/x/../extra,/extra",
        "/extra,/extra"
    })
    void recognizesItsOwnLinksHoweverTheyAreWritten(String context, String path) throws Exception {
        String expected = String.join(
                " ",
                path,
                context + "/a;jsessionid=ID",
                path + "/a;jsessionid=ID",
                path + "/../other",
                "/other/a",
                "true");
        assertEquals(expected, app.body(context + "/links"));
    }
}
