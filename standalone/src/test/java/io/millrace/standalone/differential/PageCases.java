package io.millrace.standalone.differential;

import java.util.List;

/** JSP pages: includes, forwards, tag files, expressions, error pages, encodings, property groups. */
final class PageCases {

    private static final List<String> PAGES = List.of(
            "/jsp/do.jsp",
            "/jsp/do.jsp?a=%C3%A4",
            "/jsp/error.jsp",
            "/jsp/failing.jsp",
            "/jsp/group/page.jsp",
            "/jsp/enc%20group/page.jsp",
            "/jsp/no-el.jsp",
            "/jsp/include.jsp",
            "/jsp/include.jsp?a=mine",
            "/jsp/forward.jsp",
            "/jsp/forward.jsp?a=mine",
            "/jsp/tags.jsp?who=me",
            "/jsp/tags.jsp",
            "/jsp/encodings.jsp",
            "/jsp/buffer.jsp",
            "/jsp/latin.jsp",
            "/jsp/doc.jspx",
            "/jsp/el.jsp?n=3",
            "/jsp/el.jsp?n=x",
            "/jsp/el.jsp",
            "/jsp/broken.jsp",
            "/jsp/missing-include.jsp",
            "/jsp/missing.jsp",
            "/jsp/prelude.jspf",
            "/page/x",
            "/page",
            "/jsp/do.jsp;a=b",
            "/jsp/do.JSP",
            "/jsp/do.jsp/",
            "/jsp/do.jsp/x",
            "/jsp/do.jsp%00",
            "/jsp/do.jsp%20",
            "/jsp/%64o.jsp",
            "/jsp/do%2Ejsp",
            "/WEB-INF/tags/greet.tag",
            "/jsp/../jsp/do.jsp",
            "/jsp/do.jsp?jsp_precompile",
            "/jsp/do.jsp?jsp_precompile=true",
            "/jsp/do.jsp?jsp_precompile=x");

    private PageCases() {}

    static void addTo(Cases cases) {
        for (String page : PAGES) {
            for (String method : List.of("GET", "POST", "HEAD", "PUT", "OPTIONS")) {
                Step step = method.equals("POST")
                        ? Step.form("/app" + page, "a=posted&n=4")
                        : Step.of(method, "/app" + page);
                cases.add(
                        "pages/" + method + " " + page,
                        "/app",
                        step.header("X-Own", "<own>")
                                .header("Cookie", "c=cookie")
                                .run(0, "x.paths()")
                                .run(1, "x.paths(); x.params()")
                                .run(2, "x.paths(); x.params()"));
            }
        }
        for (String way : List.of("forward", "include")) {
            for (String page : PAGES.subList(0, 22)) {
                cases.add(
                        "pages/" + way + " " + page,
                        "/app",
                        Step.get("/app/do/x?who=you")
                                .run(
                                        0,
                                        "x.dispatch('" + way + "', '" + page
                                                + "'); res.getContentType(); res.isCommitted()")
                                .run(1, "x.paths(); x.params()")
                                .run(2, "x.paths(); x.params()"));
            }
        }
    }
}
