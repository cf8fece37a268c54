package io.millrace.standalone.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an application may do with a response: its content type and charset, length, headers, cookies, status, redirects, links. */
final class ResponseCases {

    private static final List<String> TYPES = List.of(
            "text/html",
            "text/html;charset=ISO-8859-1",
            "text/html; charset=utf-8",
            "text/html; charset=\\\"utf-8\\\"",
            "text/html;charset=UTF-8;a=b",
            "text/html; a=b",
            "text/plain",
            "application/json",
            "application/json;charset=UTF-8",
            "image/png",
            "text/html;charset=nonsense",
            "text/html;charset=",
            "text/html;",
            "nonsense",
            "",
            " text/html ",
            "TEXT/HTML; CHARSET=Latin1",
            "text/html;charset=utf-8 ",
            "a/b;charset='utf-8'",
            "multipart/mixed; boundary=\\\"a b\\\"",
            "text/html;charset=UTF-16",
            "text/html; charset=utf-8; charset=latin1");

    private static final Map<String, String> ENCODINGS = new LinkedHashMap<>();
    private static final Map<String, String> HEADERS = new LinkedHashMap<>();

    static {
        ENCODINGS.put("type only", "res.setContentType('T')");
        ENCODINGS.put("type, print", "res.setContentType('T'); x.print(x.chars('e4 20ac'))");
        ENCODINGS.put("type after writer", "w = res.getWriter(); res.setContentType('T'); x.print(x.chars('e4 20ac'))");
        ENCODINGS.put(
                "charset then type",
                "res.setCharacterEncoding('UTF-8'); res.setContentType('T'); x.print(x.chars('e4 20ac'))");
        ENCODINGS.put(
                "type then charset",
                "res.setContentType('T'); res.setCharacterEncoding('UTF-8'); x.print(x.chars('e4 20ac'))");
        ENCODINGS.put(
                "type then null charset",
                "res.setContentType('T'); res.setCharacterEncoding(null); x.print(x.chars('e4 20ac'))");
        ENCODINGS.put(
                "locale then type", "l = req.getLocale(); res.setLocale(l); res.setContentType('T'); x.print('a')");
        ENCODINGS.put(
                "header",
                "res.setHeader('Content-Type', 'T'); res.getContentType(); res.getCharacterEncoding(); x.print(x.chars('e4'))");
        ENCODINGS.put(
                "added header",
                "res.addHeader('content-type', 'T'); res.addHeader('Content-Type', 'text/x'); x.print('a')");
        ENCODINGS.put("stream", "res.setContentType('T'); x.write('a'); res.getContentType()");
        ENCODINGS.put("after commit", "x.print('a'); res.flushBuffer(); res.setContentType('T')");
        ENCODINGS.put(
                "reset",
                "res.setContentType('T'); w = res.getWriter(); res.reset(); res.getContentType(); res.getCharacterEncoding(); x.write('a')");

        HEADERS.put(
                "set and add",
                "res.setHeader('A', '1'); res.addHeader('A', '2'); res.addHeader('a', '3'); res.getHeaders('A'); res.getHeader('a'); res.getHeaderNames()");
        HEADERS.put(
                "set twice",
                "res.addHeader('A', '1'); res.addHeader('A', '2'); res.setHeader('a', '3'); res.getHeaders('A')");
        HEADERS.put(
                "null value",
                "res.setHeader('A', '1'); res.setHeader('A', null); res.containsHeader('A'); res.addHeader('B', null)");
        HEADERS.put("null name", "res.setHeader(null, '1'); res.addHeader(null, '1')");
        HEADERS.put("empty name", "res.setHeader('', '1'); res.addHeader('', '1')");
        HEADERS.put("empty value", "res.setHeader('A', ''); res.addHeader('B', ''); res.getHeader('A')");
        HEADERS.put("odd names", "res.setHeader('A B', '1'); res.setHeader('A:', '2'); res.setHeader('C/D', '3')");
        HEADERS.put(
                "line break",
                "v = x.chars('61 d a 62'); res.setHeader('A', v); res.addHeader('B', v); res.getHeader('A')");
        HEADERS.put("umlaut", "v = x.chars('e4 20ac 62'); res.setHeader('A', v); res.getHeader('A')");
        HEADERS.put("tab and nul", "v = x.chars('61 9 0 62'); res.setHeader('A', v)");
        HEADERS.put("blanks", "res.setHeader('A', '  b  '); res.getHeader('A')");
        HEADERS.put(
                "dates",
                "res.setDateHeader('A', 0L); res.addDateHeader('A', 1700000000000L); res.setDateHeader('B', -1L); res.getHeaders('A')");
        HEADERS.put("ints", "res.setIntHeader('A', 1); res.addIntHeader('A', -2); res.getHeaders('A')");
        HEADERS.put(
                "content length",
                "res.setHeader('Content-Length', '3'); x.print('abc'); res.getHeader('Content-Length')");
        HEADERS.put("content length nonsense", "res.setHeader('Content-Length', 'x'); x.print('abc')");
        HEADERS.put("content length negative", "res.setContentLength(-1); x.print('abc')");
        HEADERS.put("content length long", "res.setContentLengthLong(3L); x.print('abc')");
        HEADERS.put("content length short body", "res.setContentLength(5); x.print('abc')");
        HEADERS.put("content length long body", "res.setContentLength(2); x.print('abc'); res.isCommitted()");
        HEADERS.put("content length zero", "res.setContentLength(0); x.print('abc')");
        HEADERS.put(
                "content length exact commits",
                "res.setContentLength(3); x.write('abc'); res.isCommitted(); res.setHeader('X-Late', '1')");
        HEADERS.put("two lengths", "res.setContentLength(2); res.setContentLength(3); x.print('abc')");
        HEADERS.put("transfer encoding", "res.setHeader('Transfer-Encoding', 'gzip'); x.print('abc')");
        HEADERS.put("connection", "res.setHeader('Connection', 'close'); x.print('abc')");
        HEADERS.put("own date", "res.setHeader('Date', 'yesterday'); res.setHeader('Server', 'mine')");
        HEADERS.put("encoding", "res.setHeader('Content-Encoding', 'br'); x.print('abc')");
        HEADERS.put(
                "locale",
                "res.setLocale(req.getLocale()); res.getLocale(); res.getCharacterEncoding(); res.getHeader('Content-Language')");
        HEADERS.put("locale null", "res.setLocale(null); res.getLocale()");
        HEADERS.put(
                "many",
                "res.setHeader('A', '1'); res.setHeader('B', '2'); res.setHeader('C', '3'); res.getHeaderNames()");
        HEADERS.put(
                "after commit",
                "res.flushBuffer(); res.setHeader('A', '1'); res.addHeader('A', '1'); res.setIntHeader('A', 1); res.addCookie(x.cookie('a', 'b')); res.setStatus(201); res.containsHeader('A')");
        HEADERS.put("trailers", "res.getTrailerFields()");
        HEADERS.put(
                "buffer",
                "res.getBufferSize(); res.setBufferSize(1); res.getBufferSize(); res.setBufferSize(100000); res.getBufferSize(); x.print('a'); res.setBufferSize(5)");
        HEADERS.put(
                "buffer filled",
                "res.setBufferSize(8192); x.print(x.repeat('a', 8192)); res.isCommitted(); x.print('b'); res.isCommitted()");
        HEADERS.put(
                "buffer filled by stream",
                "x.write(x.repeat('a', 8192)); res.isCommitted(); x.write('b'); res.isCommitted()");
        HEADERS.put("reset buffer after commit", "res.flushBuffer(); res.resetBuffer(); res.reset()");
        HEADERS.put("both", "w = res.getWriter(); s = res.getOutputStream()");
        HEADERS.put("both after reset", "w = res.getWriter(); res.reset(); s = res.getOutputStream(); x.write('a')");
        HEADERS.put("both after resetBuffer", "w = res.getWriter(); res.resetBuffer(); s = res.getOutputStream()");
        HEADERS.put("writer errors", "w = res.getWriter(); w.close(); w.checkError(); w.print('x'); w.checkError()");
        HEADERS.put(
                "surrogates",
                "res.setCharacterEncoding('UTF-8'); x.print(x.chars('1f600')); x.print(x.chars('d83d')); x.print(x.chars('de00')); x.print(x.chars('d83d')); x.print('a')");
        HEADERS.put("unmappable", "res.setCharacterEncoding('US-ASCII'); x.print(x.chars('e4 20ac 1f600'))");
        HEADERS.put("utf 16", "res.setCharacterEncoding('UTF-16'); x.print('a'); x.print('b')");
    }

    private static final List<String> LOCATIONS = List.of(
            "y",
            "/y",
            "//host.test/y",
            "http://host.test/y",
            "https://host.test/y?a=b",
            "HTTP://host.test",
            "mailto:a@b",
            "javascript:alert(1)",
            "../y",
            "../../../y",
            "./y",
            "?a=b",
            "#f",
            "",
            "/y?a=b&c=d#f",
            "y z",
            "/y%20z",
            "/\u00e4",
            "y;a=b",
            "/app/do/../x",
            "y/../z",
            "..",
            ".",
            "/..",
            "a:b",
            "1a:b",
            "/a:b",
            "\\\\evil.test",
            "/\\evil.test",
            "/y\"z",
            "/y<z>",
            "http://host.test:99999/y",
            "http:",
            "http:y",
            "ftp://h/y",
            "y?a=http://b/../c");

    private static final List<String> LINKS = List.of(
            "",
            "y",
            "/y",
            "/app/y",
            "/app",
            "/appx",
            "/other/y",
            "http://probe.test/app/y",
            "http://probe.test:80/app/y",
            "https://probe.test/app/y",
            "http://other.test/app/y",
            "//probe.test/app/y",
            "?a=b",
            "#f",
            "y?a=b#f",
            "y;p=q?a=b",
            "http://probe.test",
            "http://probe.test/",
            "mailto:a@b",
            "/app/../other",
            "../y",
            "../../other",
            "javascript:x",
            "y;jsessionid=0",
            "/app/y#f?g",
            "HTTP://PROBE.TEST/app/y");

    private ResponseCases() {}

    static void addTo(Cases cases) {
        for (String type : TYPES) {
            ENCODINGS.forEach((name, script) -> cases.script(
                    "type/" + name + " " + type,
                    script.replace("'T'", "`" + type.replace("\\\"", "\"") + "`")
                            + "; res.getContentType(); res.getCharacterEncoding()"));
        }
        for (String charset : List.of(
                "UTF-8",
                "utf8",
                "latin1",
                "nonsense",
                "",
                "ISO-8859-15",
                "UTF-16LE",
                "\"UTF-8\"",
                "x-windows-949",
                "a b")) {
            cases.script(
                    "charset/set " + charset,
                    "res.setCharacterEncoding(`" + charset
                            + "`); res.getCharacterEncoding(); x.print(x.chars('e4 20ac')); res.getContentType()");
            cases.script(
                    "charset/set with type " + charset,
                    "res.setContentType('text/plain'); res.setCharacterEncoding(`" + charset
                            + "`); res.getCharacterEncoding(); x.print(x.chars('e4 20ac')); res.getContentType()");
            cases.script(
                    "charset/set stream " + charset,
                    "res.setContentType('text/plain'); res.setCharacterEncoding(`" + charset
                            + "`); x.write('a'); res.getContentType()");
        }
        HEADERS.forEach(cases.all("headers/"));
        for (String language :
                List.of("de", "de-CH", "ja", "fr-FR;q=0.5, en", "*", "x-klingon", "de_AT", "zh-Hant-TW", "iw", "")) {
            cases.add(
                    "locale/" + language,
                    "/app",
                    Step.get("/app/do/x")
                            .header("Accept-Language", language)
                            .run(
                                    0,
                                    "l = req.getLocale(); req.getLocales(); res.setLocale(l); res.getLocale(); res.getCharacterEncoding(); res.getContentType(); res.setContentType('text/html'); x.print(x.chars('e4 3042'))"));
        }
        redirects(cases);
        for (String link : LINKS) {
            cases.script(
                    "links/with session " + link,
                    "req.getSession().isNew(); res.encodeURL(`" + link + "`); res.encodeRedirectURL(`" + link + "`)");
            cases.script(
                    "links/without session " + link,
                    "res.encodeURL(`" + link + "`); res.encodeRedirectURL(`" + link + "`)");
        }
        for (int status : List.of(
                -1, 0, 99, 101, 199, 200, 204, 205, 206, 299, 300, 301, 302, 304, 307, 399, 400, 401, 404, 405, 407,
                410, 416, 418, 426, 499, 500, 501, 503, 505, 599, 600, 999, 1000)) {
            cases.script("status/set " + status, "res.setStatus(" + status + "); x.print('body'); res.getStatus()");
            cases.script("status/send " + status, "res.sendError(" + status + "); res.getStatus()");
            cases.script(
                    "status/send with message " + status,
                    "res.sendError(" + status + ", 'the <message>'); res.getStatus()");
        }
        cases.script("status/set with message", "res.setStatus(200, 'fine')");
        cases.script("status/send null message", "res.sendError(409, null)");
        for (String method :
                List.of("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "FOO", "get", "TRACE", "PROPFIND")) {
            for (String work : List.of(
                    "x.print('body'); res.setHeader('A', '1')",
                    "res.sendError(409)",
                    "res.sendError(410)",
                    "res.setContentLength(5)",
                    "x.print(x.repeat('a', 20000))",
                    "res.sendRedirect('y')")) {
                cases.add(
                        "methods/" + method + " " + work,
                        "/app",
                        Step.of(method, "/app/do/x").run(0, "req.getMethod(); " + work));
            }
        }
        for (String accept : List.of(
                "application/json",
                "text/plain",
                "image/png",
                "*/*",
                "text/html;q=0.1, application/json",
                "application/xml")) {
            cases.add(
                    "error body/" + accept,
                    "/app",
                    Step.get("/app/do/x").header("Accept", accept).run(0, "res.sendError(409, 'the <message>')"));
            cases.add(
                    "error body/404 " + accept, "/app", Step.get("/app/missing").header("Accept", accept));
            cases.add(
                    "error body/exception " + accept,
                    "/app",
                    Step.get("/app/do/x")
                            .header("Accept", accept)
                            .run(0, "x.raise('java.lang.IllegalArgumentException')"));
        }
        cookies(cases);
    }

    private static void redirects(Cases cases) {
        for (String location : LOCATIONS) {
            cases.add(
                    "redirect/" + location,
                    "/app",
                    Step.get("/app/do/x").run(0, "res.sendRedirect(`" + location + "`); res.getStatus()"));
            cases.add(
                    "redirect/http10 " + location,
                    "/app",
                    Step.get("/app/do/x").http10().run(0, "res.sendRedirect(`" + location + "`)"));
            cases.add(
                    "redirect/host " + location,
                    "/app",
                    Step.get("/app/do/sub/x?q")
                            .header("Host", "other.test:1234")
                            .http10()
                            .run(0, "res.sendRedirect(`" + location + "`)"));
        }
        cases.script("redirect/null", "res.sendRedirect(null)");
        cases.script("redirect/twice", "res.sendRedirect('a'); res.sendRedirect('b')");
        cases.script("redirect/committed", "res.flushBuffer(); res.sendRedirect('a')");
        cases.script("redirect/in include", "x.dispatch('include', '/target/t')");
        cases.add(
                "redirect/after forward",
                "/app",
                Step.get("/app/do/x")
                        .run(0, "x.dispatch('forward', '/target/deep/t')")
                        .run(1, "res.sendRedirect('y')"));
        cases.add(
                "redirect/after forward http10",
                "/app",
                Step.get("/app/do/x")
                        .http10()
                        .run(0, "x.dispatch('forward', '/target/deep/t')")
                        .run(1, "res.sendRedirect('y')"));
        cases.add(
                "redirect/session",
                "/app",
                Step.get("/app/do/x").run(0, "req.getSession().isNew(); res.sendRedirect(res.encodeRedirectURL('y'))"));
        cases.add("redirect/head", "/app", Step.of("HEAD", "/app/do/x").run(0, "res.sendRedirect('y')"));
        cases.add("redirect/post", "/app", Step.form("/app/do/x", "a=b").run(0, "res.sendRedirect('y')"));
    }

    private static void cookies(Cases cases) {
        for (String value : List.of(
                "b", "", "a b", "a,b", "a;b", "a\"b", "\"a b\"", "\"a", "a=b", "a\\b", "/a", "[]", "{}", "a@b", "a:b",
                "a?b", "\u00e4", "\t")) {
            cases.script(
                    "set cookie/value " + value,
                    "c = x.cookie('n', `" + value + "`); res.addCookie(c); res.getHeaders('Set-Cookie')");
        }
        for (String name : List.of(
                "a",
                "A-b_c.d",
                "$a",
                "a$b",
                "a b",
                "a;b",
                "a,b",
                "a=b",
                "a/b",
                "a:b",
                "a@b",
                "[a]",
                "\u00e4",
                "",
                "path",
                "Version",
                "expires",
                "__Host-a",
                "a\"b")) {
            cases.script(
                    "set cookie/name " + name,
                    "c = x.cookie(`" + name + "`, 'v'); res.addCookie(c); res.getHeaders('Set-Cookie')");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("age", "c.setMaxAge(10)");
        attributes.put("age 0", "c.setMaxAge(0)");
        attributes.put("age negative", "c.setMaxAge(-5)");
        attributes.put("path", "c.setPath('/p q;r')");
        attributes.put("path plain", "c.setPath('/p')");
        attributes.put("path umlaut", "c.setPath(x.chars('2f e4'))");
        attributes.put("domain", "c.setDomain('Example.TEST')");
        attributes.put("domain dot", "c.setDomain('.example.test')");
        attributes.put("domain odd", "c.setDomain('a b;c')");
        attributes.put("domain empty", "c.setDomain('')");
        attributes.put("comment", "c.setComment('a comment')");
        attributes.put("version", "c.setVersion(1)");
        attributes.put("secure", "c.setSecure(true)");
        attributes.put("http only", "c.setHttpOnly(true)");
        attributes.put("null value", "c.setValue(null)");
        attributes.put(
                "all",
                "c.setMaxAge(0); c.setPath('/'); c.setDomain('d.test'); c.setSecure(true); c.setHttpOnly(true); c.setVersion(1); c.setComment('c')");
        attributes.forEach((name, script) -> cases.script(
                "set cookie/attribute " + name,
                "c = x.cookie('n', 'v'); " + script + "; res.addCookie(c); res.getHeader('Set-Cookie')"));
        cases.script(
                "set cookie/twice",
                "res.addCookie(x.cookie('a', '1')); res.addCookie(x.cookie('a', '2')); res.getHeaders('Set-Cookie')");
        cases.script("set cookie/null", "res.addCookie(null)");
        cases.script("set cookie/in include", "x.dispatch('include', '/target/t')");
    }
}
