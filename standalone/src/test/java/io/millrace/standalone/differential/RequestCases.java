package io.millrace.standalone.differential;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an application may ask of a request: cookies, parameters, encodings, parts, headers, hosts, sessions. */
final class RequestCases {

    private static final List<String> COOKIES = List.of(
            "a=b",
            "a=b; c=d",
            "a=b;c=d",
            "a=b, c=d",
            "a",
            "a=",
            "=b",
            "a=b=c",
            "a=\"b\"",
            "a=\"b c\"",
            "a=\"b;c\"; d=e",
            "a=\"b\\\"c\"",
            "a=\"b",
            "a=b\"",
            "a=b c",
            "a = b",
            " a=b ;",
            ";;a=b;;",
            "$Version=1; a=b; $Path=/x",
            "$Version=0; a=b",
            "$a=b",
            "a=b; a=c",
            "a=[b]",
            "a={\"b\":1}",
            "a=b@c",
            "a=b/c",
            "a=b\\c",
            "a=\u00e4",
            "\u00e4=b; c=d",
            "a b=c; d=e",
            "a@b=c; d=e",
            "a[0]=c",
            "a:b=c; d=e",
            "a=%20",
            "a=b+c",
            "path=1; domain=2; version=3; expires=4; max-age=5; secure=6; comment=7",
            "a=b\tc; d=e",
            "a=b;\tc=d",
            "JSESSIONID=nonsense",
            "JSESSIONID=",
            "a=b; JSESSIONID=x; JSESSIONID=y",
            "a=(b)",
            "a=b?c",
            "a=<b>");

    private static final List<String> QUERIES = List.of(
            "a=b",
            "a",
            "a=",
            "=b",
            "&&a=b&&",
            "a=b&a=c",
            "a=b;c=d",
            "a=%C3%A4",
            "a=%e4",
            "a=%",
            "a=%zz",
            "a=b%2",
            "a=+",
            "a=%2B",
            "%61=b",
            "a=b=c",
            "a=b%26c=d",
            "a=b#c",
            "a=\u00e4",
            "a=%00",
            "a%20b=c",
            "a[]=1&a[]=2",
            "a=b?c=d",
            "A=b&a=c",
            "a=%F0%9F%98%80",
            "a=%C3",
            "%=b&c=d",
            "a=b&%zz=c&d=e",
            "a=%u0041",
            "a=b&=&c=d",
            "&",
            "=",
            "a&b&a");

    private static final List<String> PART_HEADS = List.of(
            "form-data; name=\"a\"",
            "form-data; name=a",
            "form-data; name=\"\"",
            "form-data",
            "form-data; name=\"a\"; filename=\"f.txt\"",
            "form-data; name=\"a\"; filename=f.txt",
            "form-data; name=\"a\"; filename=\"\"",
            "form-data; name=\"a\"; filename=\"C:\\dir\\f.txt\"",
            "form-data; name=\"a\"; filename=\"../f.txt\"",
            "form-data; name=\"a\"; filename=\"a\\\"b.txt\"",
            "form-data; name=\"a\"; filename=\"a%22b.txt\"",
            "form-data; name=\"a\"; filename*=UTF-8''%C3%A4.txt",
            "form-data; name=\"a\"; filename=\"x\"; filename*=UTF-8''y",
            "form-data; name=\"\u00e4\"; filename=\"\u00fc.txt\"",
            "FORM-DATA; NAME=\"a\"",
            "form-data; name=\"a;b\"",
            "attachment; filename=\"f\"",
            "form-data; name=\"a\"; filename",
            "form-data;name=\"a\";filename=\"x y;z.txt\"",
            "form-data; name='a'",
            "form-data; filename=\"f\"; name=\"a\"");

    private RequestCases() {}

    static void addTo(Cases cases) {
        for (String cookie : COOKIES) {
            cases.add(
                    "cookies/" + cookie,
                    "/app",
                    Step.get("/app/do/x")
                            .header("Cookie", cookie)
                            .run(0, "req.getCookies(); req.getRequestedSessionId(); req.isRequestedSessionIdValid()"));
        }
        cases.add(
                "cookies/two headers",
                "/app",
                Step.get("/app/do/x")
                        .header("Cookie", "a=b")
                        .header("Cookie", "c=d")
                        .run(0, "req.getCookies(); req.getHeaders('cookie')"));
        cases.script("cookies/none", "req.getCookies()");
        for (String query : QUERIES) {
            cases.add(
                    "parameters/query " + query,
                    "/app",
                    Step.get("/app/do/x?" + query).run(0, "x.params(); req.getQueryString(); req.getParameter('a')"));
            cases.add(
                    "parameters/form " + query,
                    "/app",
                    Step.form("/app/do/x?a=q", query).run(0, "x.params(); x.body()"));
            cases.add(
                    "parameters/latin form " + query,
                    "/app",
                    Step.form("/app/do/x?b=%E4", query)
                            .run(0, "req.setCharacterEncoding('ISO-8859-1'); req.getCharacterEncoding(); x.params()"));
        }
        forms(cases);
        multipart(cases);
        headers(cases);
        sessions(cases);
    }

    private static void forms(Cases cases) {
        for (String type : List.of(
                "application/x-www-form-urlencoded",
                "application/x-www-form-urlencoded;charset=ISO-8859-1",
                "application/x-www-form-urlencoded; charset=\"utf-8\"",
                "application/x-www-form-urlencoded;charset=nonsense",
                "APPLICATION/X-WWW-FORM-URLENCODED",
                "text/plain",
                "",
                "application/json;charset=latin1",
                "text/plain;charset=utf-16")) {
            for (String look : List.of(
                    "x.params()",
                    "req.getCharacterEncoding(); x.read(); x.params()",
                    "x.body(); x.params()",
                    "x.params(); x.body()",
                    "req.setCharacterEncoding('UTF-8'); x.params(); req.setCharacterEncoding('latin1'); req.getCharacterEncoding()",
                    "req.getReader().read(); req.getInputStream()",
                    "req.getInputStream().read(); req.getReader()",
                    "req.getContentLength(); req.getContentType(); req.getContentLengthLong()")) {
                cases.add(
                        "bodies/" + type + " " + look,
                        "/app",
                        Step.of("POST", "/app/do/x?q=1")
                                .body(type, "a=%C3%A4&b=\u00e4")
                                .run(0, look));
            }
        }
        for (String method : List.of("PUT", "PATCH", "DELETE", "GET", "FOO")) {
            cases.add(
                    "bodies/form by " + method,
                    "/app",
                    Step.of(method, "/app/do/x?q=1")
                            .body("application/x-www-form-urlencoded", "a=b")
                            .run(0, "x.params(); x.body()"));
        }
        cases.add(
                "bodies/chunked form",
                "/app",
                Step.of("POST", "/app/do/x")
                        .header("Transfer-Encoding", "chunked")
                        .body("application/x-www-form-urlencoded", "3\r\na=b\r\n4\r\n&c=d\r\n0\r\nX-Trailer: t\r\n\r\n")
                        .run(0, "x.params(); req.getContentLength(); req.isTrailerFieldsReady()"));
        StringBuilder many = new StringBuilder("first=1");
        for (int i = 0; i < 1100; i++) {
            many.append("&p").append(i).append("=v");
        }
        cases.add(
                "bodies/1101 parameters",
                "/app",
                Step.form("/app/do/x", many.toString())
                        .run(0, "req.getParameter('first'); req.getParameter('p1'); req.getParameterMap().size()"));
        many.setLength(0);
        many.append("first=1");
        for (int i = 0; i < 10_100; i++) {
            many.append("&p").append(i).append("=v");
        }
        cases.add(
                "bodies/10101 parameters",
                "/app",
                Step.form("/app/do/x", many.toString())
                        .run(0, "req.getParameter('first'); req.getParameterMap().size()"));
        cases.add(
                "bodies/form of 3 MB",
                "/app",
                Step.form("/app/do/x?q=1", "a=" + "x".repeat(3_000_000))
                        .run(0, "req.getParameter('q'); req.getParameter('a')"));
        cases.add(
                "bodies/form incomplete",
                "/app",
                Step.of("POST", "/app/do/x")
                        .header("Transfer-Encoding", "chunked")
                        .body("application/x-www-form-urlencoded", "3\r\na=b\r\nzz\r\n")
                        .run(0, "x.params()"));
        cases.add(
                "bodies/unread",
                "/app",
                Step.of("POST", "/app/do/x")
                        .body("text/plain", "x".repeat(5000))
                        .run(0, "x.print('done')"));
        for (String encoding : List.of("UTF-8", "latin1", "nonsense", "", "UTF-16")) {
            cases.add(
                    "bodies/set encoding " + encoding,
                    "/app",
                    Step.form("/app/do/x?q=%C3%A4", "a=%E4")
                            .run(
                                    0,
                                    "req.setCharacterEncoding('" + encoding
                                            + "'); req.getCharacterEncoding(); x.params()"));
        }
        cases.add(
                "bodies/set null encoding",
                "/app",
                Step.form("/app/do/x", "a=%E4")
                        .run(0, "req.setCharacterEncoding(null); req.getCharacterEncoding(); x.params()"));
        cases.add(
                "bodies/filter sets encoding",
                "/app",
                Step.form("/app/do/x", "a=%E4")
                        .before("all", "req.setCharacterEncoding('ISO-8859-1')")
                        .run(0, "x.params()"));
    }

    private static String part(String disposition, String more, String content) {
        return "--b\r\nContent-Disposition: " + disposition + "\r\n" + more + "\r\n" + content + "\r\n";
    }

    private static void multipart(Cases cases) {
        String type = "multipart/form-data; boundary=b";
        String look = "x.parts(); x.params(); req.getPart('a')";
        for (String head : PART_HEADS) {
            cases.add(
                    "parts/" + head,
                    "/app",
                    Step.of("POST", "/app/upload/x?q=1")
                            .body(type, part(head, "", "v\u00e4") + "--b--\r\n")
                            .run(0, look));
        }
        Map<String, String> bodies = new LinkedHashMap<>();
        String a = part("form-data; name=\"a\"", "", "v");
        bodies.put("empty", "");
        bodies.put("only end", "--b--\r\n");
        bodies.put("preamble", "before\r\n" + a + "--b--\r\nafter");
        bodies.put("no end", a);
        bodies.put("no end line", a + "--b");
        bodies.put("end without line", a + "--b--");
        bodies.put("blank after boundary", a.replace("--b\r\n", "--b  \r\n") + "--b--\r\n");
        bodies.put("line feeds", a.replace("\r\n", "\n") + "--b--\n");
        bodies.put("two of a name", a + part("form-data; name=\"a\"", "", "w") + "--b--\r\n");
        bodies.put(
                "typed field",
                part("form-data; name=\"a\"", "Content-Type: text/plain;charset=ISO-8859-1\r\n", "\u00e4")
                        + "--b--\r\n");
        bodies.put(
                "headers",
                part("form-data; name=\"a\"", "X-Own: 1\r\nx-own: 2\r\nContent-Transfer-Encoding: base64\r\n", "dg==")
                        + "--b--\r\n");
        bodies.put("folded header", part("form-data;\r\n name=\"a\"", "", "v") + "--b--\r\n");
        bodies.put("no disposition", "--b\r\nContent-Type: text/plain\r\n\r\nv\r\n--b--\r\n");
        bodies.put("large file", part("form-data; name=\"a\"; filename=\"f\"", "", "x".repeat(1001)) + "--b--\r\n");
        bodies.put("largest file", part("form-data; name=\"a\"; filename=\"f\"", "", "x".repeat(1000)) + "--b--\r\n");
        bodies.put("large field", part("form-data; name=\"a\"", "", "x".repeat(1001)) + "--b--\r\n");
        bodies.put("large request", a.repeat(100) + "--b--\r\n");
        bodies.put(
                "mixed inside",
                part(
                                "form-data; name=\"a\"",
                                "Content-Type: multipart/mixed; boundary=c\r\n",
                                "--c\r\nContent-Disposition: file; filename=\"x\"\r\n\r\nin\r\n--c--")
                        + "--b--\r\n");
        bodies.put("charset field", part("form-data; name=\"_charset_\"", "", "ISO-8859-1") + a + "--b--\r\n");
        bodies.forEach((name, body) -> {
            cases.add(
                    "parts/body " + name,
                    "/app",
                    Step.of("POST", "/app/upload/x?q=1").body(type, body).run(0, look));
            cases.add(
                    "parts/parameters first " + name,
                    "/app",
                    Step.of("POST", "/app/upload/x?q=1")
                            .body(type, body)
                            .run(0, "x.params(); req.getParameter('q'); x.parts()"));
            cases.add(
                    "parts/annotated " + name,
                    "/app",
                    Step.of("POST", "/app/annotated/x").body(type, body).run(0, "req.getPart('a'); x.params()"));
        });
        for (String given : List.of(
                "multipart/form-data",
                "multipart/form-data; boundary=\"b\"",
                "multipart/form-data; boundary=b; charset=ISO-8859-1",
                "multipart/form-data;BOUNDARY=b",
                "Multipart/Form-Data; boundary=b",
                "multipart/mixed; boundary=b",
                "multipart/form-data; boundary=",
                "text/plain",
                "multipart/form-data; boundary=x")) {
            cases.add(
                    "parts/type " + given,
                    "/app",
                    Step.of("POST", "/app/upload/x?q=1")
                            .body(given, part("form-data; name=\"a\"", "", "v\u00e4") + "--b--\r\n")
                            .run(0, look));
        }
        cases.add(
                "parts/by put",
                "/app",
                Step.of("PUT", "/app/upload/x").body(type, a + "--b--\r\n").run(0, look));
        cases.add(
                "parts/without config",
                "/app",
                Step.of("POST", "/app/do/x").body(type, a + "--b--\r\n").run(0, look));
        cases.add(
                "parts/latin by setCharacterEncoding",
                "/app",
                Step.of("POST", "/app/upload/x")
                        .body(
                                type,
                                "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\u00e4\r\n--b--\r\n"
                                        .getBytes(StandardCharsets.ISO_8859_1))
                        .run(0, "req.setCharacterEncoding('ISO-8859-1'); " + look));
        cases.add(
                "parts/after stream",
                "/app",
                Step.of("POST", "/app/upload/x")
                        .body(type, a + "--b--\r\n")
                        .run(0, "req.getInputStream().read(); " + look));
        cases.add(
                "parts/stream after parts",
                "/app",
                Step.of("POST", "/app/upload/x").body(type, a + "--b--\r\n").run(0, "x.parts(); x.body()"));
    }

    private static void headers(Cases cases) {
        for (String date : List.of(
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "nonsense",
                "",
                "784111777",
                "Sun, 06 Nov 1994 08:49:37 +0100",
                "Sun, 06 Nov 1994 08:49:37 UTC")) {
            cases.add(
                    "headers/date " + date,
                    "/app",
                    Step.get("/app/do/x").header("X-Date", date).run(0, "req.getDateHeader('X-Date')"));
        }
        for (String number : List.of("1", "-1", "+1", "1.0", " 2 ", "", "x", "2147483648")) {
            cases.add(
                    "headers/int " + number,
                    "/app",
                    Step.get("/app/do/x").header("X-Int", number).run(0, "req.getIntHeader('X-Int')"));
        }
        cases.script(
                "headers/missing",
                "req.getIntHeader('X-None'); req.getDateHeader('X-None'); req.getHeader('X-None'); req.getHeaders('X-None'); req.getHeader(null)");
        cases.add(
                "headers/several",
                "/app",
                Step.get("/app/do/x")
                        .header("X-A", "1")
                        .header("x-a", "2")
                        .header("X-B", "")
                        .run(0, "req.getHeader('x-A'); req.getHeaders('X-a'); req.getHeader('X-B'); x.headerNames()"));
        cases.add(
                "headers/latin",
                "/app",
                Step.get("/app/do/x").header("X-A", "\u00e4").run(0, "req.getHeader('X-A')"));
        for (String host : List.of(
                "a.test", "a.test:81", "A.Test", "[::1]:8080", "[::1]", "127.0.0.1:1", "a.test:", "a_b.test", "")) {
            for (boolean old : List.of(false, true)) {
                Step step = Step.get("/app/do/x?y")
                        .header("Host", host)
                        .run(0, "req.getServerName(); req.getServerPort(); req.getRequestURL(); req.getHeader('Host')");
                cases.add("hosts/" + host + (old ? " http10" : ""), "/app", old ? step.http10() : step);
            }
        }
        cases.add(
                "hosts/absolute",
                "/app",
                Step.get("http://b.test:99/app/do/x?y")
                        .header("Host", "b.test:99")
                        .run(0, "req.getServerName(); req.getServerPort(); x.paths()"));
        cases.script(
                "request/plain",
                "req.getScheme(); req.isSecure(); req.getProtocol(); req.getMethod(); req.getRemoteAddr(); req.getRemoteHost(); req.getLocalAddr(); req.getAuthType(); req.getRemoteUser(); req.getUserPrincipal(); req.getContentLength(); req.getContentType(); req.getCharacterEncoding(); req.isUserInRole('clerk')");
        cases.script(
                "request/input", "req.getInputStream().read(); req.getInputStream().isFinished(); req.getReader()");
        cases.script(
                "request/attributes",
                "req.setAttribute('own', 1); req.setAttribute('own', 2); req.setAttribute('own', null); req.removeAttribute('own'); req.setAttribute('own2', 'x'); req.removeAttribute('own2'); req.setAttribute(null, 1); req.getAttribute(null)");
        cases.script("request/push", "req.newPushBuilder()");
        cases.script("request/upgrade", "req.getTrailerFields(); req.isTrailerFieldsReady()");
        cases.script(
                "request/login",
                "req.login('ada', 'wrong'); req.login('ada', 'lovelace'); req.getRemoteUser(); req.getAuthType(); req.isUserInRole('clerk'); req.login('bob', 'x'); req.logout(); req.getRemoteUser()");
        cases.script("request/authenticate", "req.authenticate(res)");
        for (String expect : List.of("100-continue", "nonsense")) {
            cases.add(
                    "request/expect " + expect,
                    "/app",
                    Step.of("POST", "/app/do/x")
                            .header("Expect", expect)
                            .body("text/plain", "abc")
                            .run(0, "x.body()"));
        }
    }

    private static void sessions(Cases cases) {
        String see =
                "req.getSession(false); req.getRequestedSessionId(); req.isRequestedSessionIdValid(); req.isRequestedSessionIdFromCookie(); req.isRequestedSessionIdFromURL(); res.encodeURL('/app/y')";
        Map<String, String> first = new LinkedHashMap<>();
        first.put("create", "s = req.getSession(); s.isNew(); s.getMaxInactiveInterval(); s.getId().length()");
        first.put(
                "attributes",
                "s = req.getSession(); s.setAttribute('own', 1); s.setAttribute('own', 2); s.setAttribute('own', null); s.setAttribute('own2', 'x'); s.removeAttribute('own2'); s.removeAttribute('none'); s.getAttributeNames(); s.getValueNames()");
        first.put(
                "invalidate",
                "s = req.getSession(); s.setAttribute('own', 1); s.invalidate(); s.getAttribute('own'); s.isNew(); s.getId(); s.invalidate(); req.getSession(false)");
        first.put("invalidate and create", "s = req.getSession(); s.invalidate(); t = req.getSession(); t.isNew()");
        first.put("change id", "s = req.getSession(); req.changeSessionId(); s.getId()");
        first.put("change id without", "req.changeSessionId()");
        first.put("after commit", "res.flushBuffer(); req.getSession()");
        first.put("create, commit, ask", "s = req.getSession(); res.flushBuffer(); req.getSession().isNew()");
        first.put(
                "interval",
                "s = req.getSession(); s.setMaxInactiveInterval(-1); s.getMaxInactiveInterval(); s.setMaxInactiveInterval(0); s.getMaxInactiveInterval()");
        first.put("in error page", "req.getSession().isNew(); res.sendError(410)");
        first.put("in exception", "req.getSession().isNew(); x.raise('java.lang.IllegalStateException')");
        first.put("reset", "req.getSession().isNew(); res.reset(); x.print('a')");
        first.put("in include", "x.dispatch('include', '/target/t')");
        first.put(
                "null name",
                "s = req.getSession(); s.setAttribute(null, 1); s.getAttribute(null); s.removeAttribute(null)");
        first.forEach((name, script) -> cases.add(
                "sessions/" + name,
                "/app",
                Step.get("/app/do/x").run(0, see + "; " + script).run(1, "req.getSession().isNew()"),
                Step.get("/app/do/x").run(0, see + "; req.getSession().isNew()"),
                Step.get("/app/do/x;jsessionid={session}").withoutCookies().run(0, see),
                Step.get("/app/do/x?y=1;jsessionid={session}").withoutCookies().run(0, see),
                Step.get("/app/do;jsessionid={session}/x").withoutCookies().run(0, see),
                Step.get("/app/do/x;JSESSIONID={session}").withoutCookies().run(0, see),
                Step.get("/app/do/x;a=b;jsessionid={session};c=d")
                        .withoutCookies()
                        .run(0, see),
                Step.get("/app/do/x")
                        .withoutCookies()
                        .header("Cookie", "JSESSIONID=ffff; JSESSIONID={session}")
                        .run(0, see),
                Step.get("/app/do/x").run(0, "req.getSession().invalidate(); " + see),
                Step.get("/app/do/x").run(0, see)));
    }
}
