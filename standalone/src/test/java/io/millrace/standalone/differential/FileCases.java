package io.millrace.standalone.differential;

import java.util.List;

/** The default servlet: names, directories, ranges, conditions, encodings and methods; and WebDAV. */
final class FileCases {

    private static final List<String> NAMES = List.of(
            "/letters.txt",
            "/a%20b.txt",
            "/a+b.txt",
            "/pl+us.txt",
            "/pl%2Bus.txt",
            "/per%25cent.txt",
            "/umlaut%20%C3%A4.txt",
            "/umlaut%20%c3%a4.txt",
            "/umlaut%20%e4.txt",
            "/semi;colon.txt",
            "/semi%3Bcolon.txt",
            "/hash%23.txt",
            "/q'uote.txt",
            "/q%27uote.txt",
            "/LETTERS.TXT",
            "/letters.txt/",
            "/letters.txt/x",
            "/letters.txt;a=b",
            "/letters.txt?x=y",
            "/with",
            "/with/",
            "/without",
            "/without/",
            "/with?a=b",
            "/with;a=b",
            "/with//",
            "//with",
            "/two",
            "/two/",
            "/",
            "",
            "/missing",
            "/missing/",
            "/WEB-INF/web.xml",
            "/WEB-INF",
            "/WEB-INF/",
            "/web-inf/web.xml",
            "/META-INF/x",
            "/%57EB-INF/web.xml",
            "/WEB-INF%2Fweb.xml",
            "/x/../WEB-INF/web.xml",
            "/WEB-INF./web.xml",
            "/empty.txt",
            "/bom.txt",
            "/page.html",
            "/page.htm",
            "/packed.css",
            "/packed.css.gz",
            "/large.txt",
            "/letters.txt%00",
            "/letters.txt%20",
            "/letters.txt.",
            "/./letters.txt",
            "/with/../letters.txt");

    private static final List<String> RANGES = List.of(
            "bytes=0-4",
            "bytes=5-",
            "bytes=-5",
            "bytes=0-0",
            "bytes=-0",
            "bytes=26-",
            "bytes=27-",
            "bytes=100-",
            "bytes=0-100",
            "bytes=5-4",
            "bytes=-100",
            "bytes=0-1,3-4",
            "bytes=0-1,1-2",
            "bytes=0-1, 3-4 , -2",
            "bytes=3-4,0-1",
            "bytes=0-,5-",
            "bytes=",
            "bytes=x-y",
            "bytes=1",
            "items=0-4",
            "bytes 0-4",
            "bytes=0-4,",
            "BYTES=0-4",
            "bytes = 0-4",
            "bytes=0-99999999999999999999",
            "nonsense",
            "bytes=0-1,100-200",
            "bytes=100-,200-",
            "bytes=-1,-2",
            "bytes=0-1;2-3");

    private FileCases() {}

    static void addTo(Cases cases) {
        for (String name : NAMES) {
            for (String method : List.of("GET", "HEAD")) {
                cases.add("files/" + method + " " + name, "/files", Step.of(method, "/files" + name));
            }
        }
        for (String name : List.of("/letters.txt", "/missing", "/with/", "/empty.txt", "/")) {
            for (String method : List.of("POST", "OPTIONS", "TRACE", "PATCH", "FOO", "get")) {
                cases.add("files/" + method + " " + name, "/files", Step.of(method, "/files" + name));
                cases.add("files/readonly " + method + " " + name, "/app", Step.of(method, "/app/static" + name));
            }
        }
        for (String method : List.of("PUT", "DELETE")) {
            cases.add(
                    "files/readonly " + method,
                    "/app",
                    Step.of(method, "/app/static/file.txt").body("text/plain", "new"));
            cases.add(
                    "files/readonly missing " + method,
                    "/app",
                    Step.of(method, "/app/static/none.txt").body("text/plain", "new"));
        }
        for (String range : RANGES) {
            for (String file : List.of("/letters.txt", "/empty.txt")) {
                cases.add(
                        "ranges/" + file + " " + range,
                        "/files",
                        Step.get("/files" + file).header("Range", range));
            }
            cases.add(
                    "ranges/head " + range,
                    "/files",
                    Step.of("HEAD", "/files/letters.txt").header("Range", range));
        }
        String modified = "Fri, 14 Jul 2017 02:40:00 GMT";
        String tag = "W/\"27-1500000000000\"";
        for (String condition : List.of(
                "If-Modified-Since: " + modified,
                "If-Modified-Since: Fri, 14 Jul 2017 02:39:59 GMT",
                "If-Modified-Since: Sun, 06 Nov 2033 08:49:37 GMT",
                "If-Modified-Since: nonsense",
                "If-Unmodified-Since: " + modified,
                "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                "If-Unmodified-Since: nonsense",
                "If-None-Match: " + tag,
                "If-None-Match: \"27-1500000000000\"",
                "If-None-Match: *",
                "If-None-Match: \"x\"",
                "If-None-Match: \"x\", " + tag,
                "If-None-Match: nonsense",
                "If-None-Match: W/\"x\",\"27-1500000000000\"",
                "If-Match: " + tag,
                "If-Match: \"27-1500000000000\"",
                "If-Match: *",
                "If-Match: \"x\"",
                "If-Match: nonsense",
                "If-Range: " + tag,
                "If-Range: " + modified,
                "If-Range: \"x\"",
                "If-Range: Sun, 06 Nov 1994 08:49:37 GMT",
                "If-Range: nonsense")) {
            String name = condition.substring(0, condition.indexOf(':'));
            String value = condition.substring(condition.indexOf(':') + 2);
            for (String method : List.of("GET", "HEAD", "POST")) {
                cases.add(
                        "conditions/" + method + " " + condition,
                        "/files",
                        Step.of(method, "/files/letters.txt").header(name, value));
            }
            cases.add(
                    "conditions/range " + condition,
                    "/files",
                    Step.get("/files/letters.txt").header("Range", "bytes=0-3").header(name, value));
            cases.add(
                    "conditions/missing " + condition,
                    "/files",
                    Step.get("/files/missing.txt").header(name, value));
        }
        cases.add(
                "conditions/match and modified",
                "/files",
                Step.get("/files/letters.txt").header("If-None-Match", "\"x\"").header("If-Modified-Since", modified));
        cases.add(
                "conditions/modified and match",
                "/files",
                Step.get("/files/letters.txt")
                        .header("If-None-Match", tag)
                        .header("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"));
        for (String coding : List.of(
                "gzip",
                "gzip;q=0",
                "identity",
                "gzip, br",
                "*",
                "*;q=0",
                "x-gzip",
                "GZIP",
                "br",
                "gzip;q=0.5, identity",
                "identity;q=0",
                "",
                "deflate, gzip;q=1.0, *;q=0.5")) {
            for (String file : List.of("/packed.css", "/letters.txt", "/packed.css.gz")) {
                cases.add(
                        "codings/" + file + " " + coding,
                        "/files",
                        Step.get("/files" + file).header("Accept-Encoding", coding));
            }
        }
        puts(cases);
        dav(cases);
        for (String way : List.of("include", "forward")) {
            for (String file : List.of(
                    "/static/file.txt",
                    "/static/missing.txt",
                    "/static",
                    "/static/",
                    "/welcome/",
                    "/static%20page.html",
                    "/WEB-INF/web.xml",
                    "/static/data.probe")) {
                cases.add(
                        "files/" + way + " of " + file,
                        "/app",
                        Step.get("/app/do/x")
                                .run(
                                        0,
                                        "res.setContentType('text/x-own'); x.dispatch('" + way + "', '" + file
                                                + "'); x.print(' after')"));
                cases.add(
                        "files/conditional " + way + " of " + file,
                        "/app",
                        Step.get("/app/do/x")
                                .header("If-Modified-Since", "Sun, 06 Nov 2033 08:49:37 GMT")
                                .header("Range", "bytes=0-1")
                                .run(0, "x.dispatch('" + way + "', '" + file + "')"));
            }
        }
        for (String path : List.of(
                "/app",
                "/app/",
                "/app?a=b",
                "/app/static",
                "/app/static/",
                "/app/static/sub",
                "/app/static/sub/",
                "/app/welcome",
                "/app/welcome/?a=b",
                "/app/static/data.probe",
                "/app/static/data.json",
                "/app/static%20page.html",
                "/%61pp",
                "/app;a=b",
                "/x/../app",
                "//app",
                "/nowhere",
                "/nowhere/x",
                "/",
                "/app/static;a=b",
                "/app//static",
                "/app/./static",
                "/%61pp/static")) {
            cases.add("files/directories " + path, "/app", Step.get(path));
            cases.add("files/directories http10 " + path, "/app", Step.get(path).http10());
            cases.add("files/directories POST " + path, "/app", Step.form(path, "a=b"));
        }
    }

    private static void puts(Cases cases) {
        cases.add(
                "puts/new",
                "/files",
                Step.of("PUT", "/files/put1.txt").body("text/plain", "abc"),
                Step.get("/files/put1.txt"),
                Step.of("PUT", "/files/put1.txt").body("text/plain", "de"),
                Step.get("/files/put1.txt"),
                Step.of("DELETE", "/files/put1.txt"),
                Step.get("/files/put1.txt"),
                Step.of("DELETE", "/files/put1.txt"));
        cases.add(
                "puts/range",
                "/files",
                Step.of("PUT", "/files/put2.txt").body("", "abcdef"),
                Step.of("PUT", "/files/put2.txt")
                        .header("Content-Range", "bytes 1-2/6")
                        .body("", "XY"),
                Step.get("/files/put2.txt"),
                Step.of("PUT", "/files/put2.txt")
                        .header("Content-Range", "nonsense")
                        .body("", "XY"),
                Step.of("DELETE", "/files/put2.txt"));
        cases.add(
                "puts/no parent",
                "/files",
                Step.of("PUT", "/files/none/put3.txt").body("", "abc"));
        cases.add(
                "puts/directory",
                "/files",
                Step.of("PUT", "/files/with").body("", "abc"),
                Step.of("PUT", "/files/with/").body("", "abc"),
                Step.of("DELETE", "/files/with"));
        cases.add(
                "puts/protected",
                "/files",
                Step.of("PUT", "/files/WEB-INF/x").body("", "abc"),
                Step.of("DELETE", "/files/WEB-INF/web.xml"));
        cases.add(
                "puts/condition",
                "/files",
                Step.of("PUT", "/files/put4.txt").header("If-None-Match", "*").body("", "abc"),
                Step.of("PUT", "/files/put4.txt").header("If-None-Match", "*").body("", "def"),
                Step.of("PUT", "/files/put4.txt").header("If-Match", "\"x\"").body("", "def"),
                Step.get("/files/put4.txt"),
                Step.of("DELETE", "/files/put4.txt").header("If-Match", "\"x\""),
                Step.of("DELETE", "/files/put4.txt"));
        cases.add(
                "puts/odd name",
                "/files",
                Step.of("PUT", "/files/p%20%C3%A4%25.txt").body("", "abc"),
                Step.get("/files/p%20%C3%A4%25.txt"),
                Step.of("DELETE", "/files/p%20%C3%A4%25.txt"));
    }

    private static final String LOCK =
            "<?xml version=\"1.0\"?><lockinfo xmlns=\"DAV:\"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>me</owner></lockinfo>";

    private static void dav(Cases cases) {
        for (String path : List.of(
                "/dav/file.txt",
                "/dav/dir",
                "/dav/dir/",
                "/dav/missing",
                "/dav/",
                "/dav",
                "/dav/WEB-INF",
                "/dav/WEB-INF/web.xml")) {
            for (String method :
                    List.of("GET", "HEAD", "OPTIONS", "POST", "TRACE", "MKCOL", "COPY", "MOVE", "UNLOCK")) {
                cases.add("dav/" + method + " " + path, "/dav", Step.of(method, path));
            }
            for (String depth : List.of("0", "1", "infinity", "x")) {
                cases.add(
                        "dav/PROPFIND " + depth + " " + path,
                        "/dav",
                        Step.of("PROPFIND", path).header("Depth", depth));
            }
        }
        for (String body : List.of(
                "<propfind xmlns=\"DAV:\"><allprop/></propfind>",
                "<propfind xmlns=\"DAV:\"><propname/></propfind>",
                "<propfind xmlns=\"DAV:\"><prop><getcontentlength/><getetag/><displayname/><x:y xmlns:x=\"urn:x\"/></prop></propfind>",
                "<nonsense/>",
                "not xml")) {
            cases.add(
                    "dav/PROPFIND of " + body,
                    "/dav",
                    Step.of("PROPFIND", "/dav/file.txt").header("Depth", "0").body("application/xml", body));
        }
        cases.add(
                "dav/collection",
                "/dav",
                Step.of("MKCOL", "/dav/new1"),
                Step.of("MKCOL", "/dav/new1"),
                Step.of("PUT", "/dav/new1/a.txt").body("", "abc"),
                Step.of("COPY", "/dav/new1/a.txt").header("Destination", "/dav/new1/b.txt"),
                Step.get("/dav/new1/b.txt"),
                Step.of("COPY", "/dav/new1/a.txt")
                        .header("Destination", "/dav/new1/b.txt")
                        .header("Overwrite", "F"),
                Step.of("MOVE", "/dav/new1/a.txt").header("Destination", "http://probe.test/dav/new1/c.txt"),
                Step.get("/dav/new1/a.txt"),
                Step.of("DELETE", "/dav/new1"),
                Step.get("/dav/new1/c.txt"),
                Step.of("DELETE", "/dav/new1"));
        cases.add(
                "dav/destinations",
                "/dav",
                Step.of("COPY", "/dav/file.txt"),
                Step.of("COPY", "/dav/file.txt").header("Destination", "http://other.test/dav/x"),
                Step.of("COPY", "/dav/file.txt").header("Destination", "/other/x"),
                Step.of("COPY", "/dav/file.txt").header("Destination", "/dav/WEB-INF/x"),
                Step.of("COPY", "/dav/file.txt").header("Destination", "/dav/none/x"),
                Step.of("COPY", "/dav/file.txt").header("Destination", "/dav/file.txt"),
                Step.of("COPY", "/dav/file.txt").header("Destination", "nonsense"),
                Step.of("MOVE", "/dav/dir").header("Destination", "/dav/dir/inside"),
                Step.of("MOVE", "/dav/file.txt").header("Destination", "/dav/../app/x"));
        cases.add(
                "dav/parents",
                "/dav",
                Step.of("MKCOL", "/dav/none/new"),
                Step.of("MKCOL", "/dav/file.txt/new"),
                Step.of("MKCOL", "/dav/new2").body("text/plain", "x"),
                Step.of("DELETE", "/dav/new2"));
        cases.add(
                "dav/locks",
                "/dav",
                Step.of("PUT", "/dav/locked.txt").body("", "abc"),
                Step.of("LOCK", "/dav/locked.txt").body("application/xml", LOCK),
                Step.of("PUT", "/dav/locked.txt").body("", "def"),
                Step.of("DELETE", "/dav/locked.txt"),
                Step.of("LOCK", "/dav/locked.txt").body("application/xml", LOCK),
                Step.of("UNLOCK", "/dav/locked.txt").header("Lock-Token", "<opaquelocktoken:none>"),
                Step.get("/dav/locked.txt"));
        cases.add(
                "dav/lock of new",
                "/dav",
                Step.of("LOCK", "/dav/unmapped.txt").body("application/xml", LOCK),
                Step.get("/dav/unmapped.txt"),
                Step.of("LOCK", "/dav/file.txt").body("application/xml", "nonsense"));
        cases.add(
                "dav/proppatch",
                "/dav",
                Step.of("PROPPATCH", "/dav/dir/inner.txt")
                        .body(
                                "application/xml",
                                "<propertyupdate xmlns=\"DAV:\"><set><prop><x:y xmlns:x=\"urn:x\">v</x:y></prop></set></propertyupdate>"),
                Step.of("PROPPATCH", "/dav/missing").body("application/xml", "<propertyupdate xmlns=\"DAV:\"/>"));
    }
}
