package io.millrace.standalone.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One origin of paths: how URLs are written, what the request says of them in each dispatch, and what guards make of that. */
final class PathCases {

    /** Other ways to write the context path {@code /app}. */
    private static final List<String> CONTEXTS = List.of(
            "/%61pp",
            "/%61%70%70",
            "/app;a=b",
            "/app;",
            "/;/app",
            "/;a=b/app",
            "/x/../app",
            "/x;y=z/../app",
            "//app",
            "///app",
            "/./app",
            "/%2e/app",
            "/x/%2e%2e/app",
            "/x/%2E%2E/app",
            "/app/.",
            "/app/x/..",
            "/app/../app",
            "/../app",
            "/app%2F",
            "/%2Fapp",
            "/app%5C",
            "/app//",
            "/APP",
            "/app;jsessionid=0123",
            "/a%70p;x=%41/",
            "/x%2F../app",
            "/app%3Ba=b",
            "/app%00",
            "/./x/.././%61pp;a/b/..");

    private static final List<String> RESTS = List.of(
            "",
            "/",
            "/do",
            "/do/",
            "/do/x",
            "/do/x;a=b",
            "/do;a=b/x",
            "/do;a=b",
            "/%64o/x",
            "/do/%78",
            "/do/../do/x",
            "/do//x",
            "//do/x",
            "/do/./x",
            "/do/%2e/x",
            "/do/%2E%2E/do/x",
            "/do/x%2Fy",
            "/do/x%2fy",
            "/do%2Fx",
            "/do/x%5Cy",
            "/do/x%5cy",
            "/do/x\\y",
            "/do/x%00y",
            "/do/x%0Ay",
            "/do/x%7Fy",
            "/do/%c3%a4",
            "/do/%C3%A4",
            "/do/\u00e4",
            "/do/a%20b",
            "/do/a+b",
            "/do/%e4",
            "/do/%F0%9F%98%80",
            "/do/x;jsessionid=FFFF",
            "/do/x;a=b;c=d/y;e",
            "/do/;/x",
            "/do/.;a/x",
            "/do/..;/do/x",
            "/do/...;/x",
            "/do?",
            "/do/x?a=b&c",
            "/do/x?%zz",
            "/do/x?a=;b",
            "/do/x?a?b",
            "/x.do",
            "/x.do/y",
            "/y/x.do;a=b",
            "/y/x.do?a=b",
            "/.do",
            "/x.d%6F",
            "/exact",
            "/exact/",
            "/exact;a",
            "/ex%61ct",
            "/do/longer",
            "/do/longer/x",
            "/do/longerx",
            "/do/%",
            "/do/%zz",
            "/do/x%2",
            "/do/x{y}",
            "/do/x^y",
            "/do/x`y",
            "/do/x\"y",
            "/do/x<y",
            "/do/x[y]",
            "/do/..",
            "/do/../..",
            "/do/../../app/do/x",
            "/do/x/..%2fy",
            "/do/x%3By",
            "/do/x%3Fy",
            "/do/x%23y",
            "/do/x%25y",
            "/do/x%2541",
            "/coded/x",
            "/code%20enc/x",
            "/code%2520enc/x",
            "/anno%20enc/x",
            "/annotated/x",
            "/dsc%20enc/x",
            "/dsc%2520enc/x",
            "/exact%20enc",
            "/uml%c3%a4ut/x",
            "/%75ml%C3%A4ut/x",
            "/x.enc",
            "/x.e%6ec",
            "/dsc%20filter/x",
            "/dsc-exact",
            "/page/x",
            "/page",
            "/DO/x",
            "/do/x/",
            "/do/x//",
            "/do/x/;a",
            "/missing",
            "/missing/x",
            "/jsp/do.jsp",
            "/jsp/do.jsp/x",
            "/jsp/do.jsp;a",
            "/jsp/d%6F.jsp");

    /** How a path is told: by the first servlet, or after a dispatch from it. */
    private static final Map<String, String> WAYS = new LinkedHashMap<>();

    static {
        WAYS.put("request", "x.paths()");
        WAYS.put("forward", "x.dispatch('forward', '/target/t?q=1')");
        WAYS.put("include", "x.dispatch('include', '/target/t')");
        WAYS.put("async", "x.dispatch('async', '/target/t?q=1')");
        WAYS.put("again", "x.dispatch('again', '')");
        WAYS.put("error", "res.sendError(412, 'because')");
    }

    private static final List<String> TARGETS = List.of(
            "/target/t",
            "/%74arget/t",
            "/target;a=b/t",
            "/target/t;a=b",
            "/x/../target/t",
            "/target//t",
            "//target/t",
            "/target/./t",
            "/target/%2e/t",
            "/target/%2e%2e/target/t",
            "/target/a%2Fb",
            "/target%2Ft",
            "/target/a%5Cb",
            "/target/a\\b",
            "/target/a%00b",
            "target/t",
            "../target/t",
            "./t",
            "t",
            "?x=1",
            "",
            "/",
            "#f",
            "/target/t#f",
            "/target/t;jsessionid=AA?x=1",
            "/target/\u00e4",
            "/target/a b",
            "/target/a+b",
            "/target/%e4",
            "/target/%C3%A4",
            "/target/t?a=%zz",
            "/target/t?a=b&a=c",
            "/target/t?a=b?c",
            "/../target/t",
            "/../../x",
            "/target/../../x",
            "/WEB-INF/web.xml",
            "/static/file.txt",
            "/static",
            "/welcome/",
            "/welcome",
            "/missing",
            "/jsp/do.jsp?a=1",
            "/target/%",
            "/target/%zz",
            "/x.target",
            "/TARGET/t",
            "/denied/s.txt",
            "/target",
            "/target/",
            "/static%20page.html",
            "/static page.html",
            "/code%20enc/x",
            "/do/x%3By",
            "/exact enc");

    /** What follows a guarded context path. */
    private static final List<String> GUARDED = List.of(
            "/admin/x",
            "/admin",
            "/admin/",
            "/%61dmin/x",
            "/do/../admin/x",
            "//admin/x",
            "/;a/admin/x",
            "/admin;a=b/x",
            "/./admin/x",
            "/%2e/admin/x",
            "/do/x",
            "/denied/s.txt",
            "/%64enied/s.txt",
            "/denied;a/s.txt",
            "/open/..;/denied/s.txt",
            "/open/o.txt",
            "/do/%2e%2e/admin/x",
            "/x%2F../admin/x",
            "/DENIED/s.txt",
            "/denied/s.txt/",
            "/denied/s.txt%00",
            "/open%2F..%2Fdenied/s.txt",
            "/open\\..\\denied/s.txt",
            "/admin%2Fx");

    private PathCases() {}

    static void addTo(Cases cases) {
        WAYS.forEach((way, script) -> {
            for (String context : CONTEXTS) {
                for (String rest : List.of("/do/x", "/do/y;a=b?q=0")) {
                    path(cases, "paths", way, context + rest, script);
                }
            }
            for (String rest : RESTS) {
                path(cases, "paths", way, "/app" + rest, script);
            }
        });
        for (String target : TARGETS) {
            for (String way : List.of("forward", "include", "async")) {
                cases.add(
                        "targets/" + way + " " + target,
                        "/app",
                        Step.get("/app/do/sub/from?q=0")
                                .run(0, "x.dispatch('" + way + "', `" + target + "`)")
                                .run(1, "x.paths(); x.params()"));
            }
        }
        guards(cases);
    }

    private static void path(Cases cases, String kind, String way, String target, String script) {
        cases.add(
                kind + "/" + way + " " + target,
                "/app",
                Step.get(target).run(0, script).run(1, "x.paths()"));
    }

    private static void guards(Cases cases) {
        Map<String, String> contexts = new LinkedHashMap<>();
        contexts.put("guard", "/guard");
        contexts.put("pathguard", "/pathguard");
        contexts.put("n sp", "/n%20sp");
        contexts.put("umlaut", "/n%C3%BC");
        contexts.put("n%41", "/n%2541");
        contexts.put("a#b", "/a/b");
        contexts.put("ROOT", "");
        contexts.forEach((name, path) -> {
            for (Map.Entry<String, String> spelling : spellings(path).entrySet()) {
                for (String rest : GUARDED) {
                    cases.add(
                            "guards/" + name + " " + spelling.getKey() + " " + rest,
                            path,
                            Step.get(spelling.getValue() + rest).run(0, "x.paths()"));
                }
            }
            cases.add(
                    "guards/" + name + " session",
                    path,
                    Step.get(path + "/do/x")
                            .run(
                                    0,
                                    "req.getSession().isNew(); res.encodeURL('x'); res.encodeURL('/x'); ctx.getContextPath(); req.getContextPath()"),
                    Step.get(path + "/do/x")
                            .run(0, "req.isRequestedSessionIdValid(); req.isRequestedSessionIdFromCookie()"),
                    Step.get(path + "/do/x;jsessionid={session}")
                            .withoutCookies()
                            .run(
                                    0,
                                    "req.isRequestedSessionIdValid(); req.isRequestedSessionIdFromURL(); res.encodeURL('y'); res.encodeRedirectURL('z')"));
            cases.add(
                    "guards/" + name + " redirects",
                    path,
                    Step.get(path + "/open"),
                    Step.get(path + (path.isEmpty() ? "/" : "")),
                    Step.get(path + "/?a=b"),
                    Step.get(path + "/do/x").run(0, "res.sendRedirect('y')"));
        });
    }

    private static Map<String, String> spellings(String path) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("plain", path);
        all.put("climbing", "/x/.." + path);
        all.put("doubled", "/" + path);
        all.put("dotted", "/." + path);
        if (!path.isEmpty()) {
            all.put("parameter", path + ";a=b");
            all.put("escaped", "/%" + Integer.toHexString(path.charAt(1)) + path.substring(2));
            all.put("again", path + "/.." + path.replaceAll("^/a/b$", "/b"));
            all.put("hexcase", path.contains("%C3") ? path.toLowerCase(java.util.Locale.ROOT) : path + "/.");
        }
        return all;
    }
}
