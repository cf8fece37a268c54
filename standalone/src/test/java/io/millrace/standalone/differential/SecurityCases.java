package io.millrace.standalone.differential;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Constraints, transport guarantees, roles, and logins by BASIC, DIGEST and FORM with saved requests. */
final class SecurityCases {

    private static final String WHO =
            "req.getRemoteUser(); req.getAuthType(); req.getUserPrincipal().getName(); req.isUserInRole('clerk'); req.isUserInRole('boss'); req.isUserInRole('writer'); req.isUserInRole('**'); req.isUserInRole('*'); req.isUserInRole(null)";

    private static final List<String> PATHS = List.of(
            "/do/x",
            "/do/boss/x",
            "/do/any/x",
            "/do/each/x",
            "/open/x",
            "/open/post/x",
            "/open/omission/x",
            "/open/tls/x",
            "/%64o/x",
            "/open/../do/x",
            "/do;a/x",
            "//do/x",
            "/do",
            "/do/",
            "/DO/x",
            "/open/tls/x;a=b?c=d%20e");

    private static final List<String> FORM_PATHS = List.of(
            "/do/x", "/do/boss/x", "/do/x?a=b&c=%C3%A4", "/%64o/x", "/do/a%20b;c=d", "/do/any/x", "/open/post/x");

    private SecurityCases() {}

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    static void addTo(Cases cases) {
        for (String name : List.of("basic", "digest", "form")) {
            for (String path : PATHS) {
                for (String method : List.of("GET", "POST", "PUT", "FOO", "HEAD")) {
                    cases.add(
                            "constraints/" + name + " " + method + " " + path,
                            "/" + name,
                            Step.of(method, "/" + name + path).run(0, WHO));
                }
            }
        }
        for (String path : List.of(
                "/denied/s.txt",
                "/secret%20dir/s.txt",
                "/secret%2520dir/s.txt",
                "/one%20secret.txt",
                "/static/a.secret",
                "/static/a.s%65cret",
                "/do/tls/x",
                "/do/tls/x;a=b?c=d",
                "/denied",
                "/denied/",
                "/deniedx",
                "/static/../denied/s.txt")) {
            for (String method : List.of("GET", "POST", "HEAD", "OPTIONS", "TRACE")) {
                cases.add("constraints/app " + method + " " + path, "/app", Step.of(method, "/app" + path));
            }
        }
        cases.add("constraints/annotated DELETE", "/app", Step.of("DELETE", "/app/annotated/x"));
        cases.add(
                "constraints/annotated GET",
                "/app",
                Step.get("/app/annotated/x").run(0, "x.paths()"));
        for (String path : PATHS) {
            for (String user : List.of("ada:lovelace", "bob:b\u00e4 b", "eve:eve")) {
                cases.add(
                        "basic/" + user + " " + path,
                        "/basic",
                        Step.get("/basic" + path)
                                .header("Authorization", basic(user))
                                .run(0, WHO));
            }
            cases.add(
                    "basic/POST " + path,
                    "/basic",
                    Step.form("/basic" + path, "a=b")
                            .header("Authorization", basic("ada:lovelace"))
                            .run(0, "x.params()"));
        }
        for (String given : List.of(
                basic("ada:wrong"),
                basic("ada"),
                basic(":"),
                "Basic",
                "Basic ",
                "Basic nonsense!",
                "basic " + basic("ada:lovelace").substring(6),
                "BASIC   " + basic("ada:lovelace").substring(6),
                "Bearer x",
                basic("ada:lovelace") + "==",
                basic("nobody:x"),
                basic("ada:lovelace:x"),
                basic(" ada:lovelace"))) {
            cases.add(
                    "basic/header " + given,
                    "/basic",
                    Step.get("/basic/do/x").header("Authorization", given).run(0, WHO));
            cases.add(
                    "basic/header on open " + given,
                    "/basic",
                    Step.get("/basic/open/x")
                            .header("Authorization", given)
                            .run(0, "req.getRemoteUser(); req.getHeader('Authorization')"));
        }
        cases.add(
                "basic/session",
                "/basic",
                Step.get("/basic/do/x")
                        .header("Authorization", basic("ada:lovelace"))
                        .run(0, "s = req.getSession(); s.isNew(); s.setAttribute('own', 1)"),
                Step.get("/basic/do/x").run(0, WHO),
                Step.get("/basic/open/x").run(0, "req.getRemoteUser()"),
                Step.get("/basic/do/x")
                        .header("Authorization", basic("bob:b\u00e4 b"))
                        .run(0, WHO));
        cases.add(
                "basic/logout",
                "/basic",
                Step.get("/basic/do/x")
                        .header("Authorization", basic("ada:lovelace"))
                        .run(0, "req.getSession().isNew(); req.logout(); req.getRemoteUser()"),
                Step.get("/basic/do/x").run(0, WHO));
        cases.add(
                "basic/authenticate",
                "/basic",
                Step.get("/basic/open/x").run(0, "req.authenticate(res); res.isCommitted(); x.print('x')"),
                Step.get("/basic/open/x")
                        .header("Authorization", basic("ada:lovelace"))
                        .run(0, "req.authenticate(res); " + WHO));
        cases.add(
                "basic/login",
                "/basic",
                Step.get("/basic/open/x").run(0, "req.getSession().isNew(); req.login('ada', 'lovelace'); " + WHO),
                Step.get("/basic/do/x").run(0, WHO));
        cases.add(
                "basic/login twice",
                "/basic",
                Step.get("/basic/do/x")
                        .header("Authorization", basic("ada:lovelace"))
                        .run(0, "req.login('ada', 'lovelace'); req.authenticate(res)"));
        cases.add(
                "basic/forward to protected",
                "/basic",
                Step.get("/basic/open/x")
                        .run(0, "x.dispatch('forward', '/do/y')")
                        .run(1, WHO.split(";", -1)[0]));
        cases.add(
                "digest/ada",
                "/digest",
                Step.get("/digest/do/x"),
                Step.get("/digest/do/x?a=b").digest("ada", "lovelace").run(0, WHO),
                Step.get("/digest/do/x").run(0, WHO));
        cases.add(
                "digest/wrong",
                "/digest",
                Step.get("/digest/do/x"),
                Step.get("/digest/do/x").digest("ada", "wrong"),
                Step.get("/digest/do/x").digest("nobody", "x"));
        cases.add(
                "digest/role",
                "/digest",
                Step.get("/digest/do/boss/x"),
                Step.get("/digest/do/boss/x").digest("ada", "lovelace").run(0, WHO),
                Step.get("/digest/do/boss/x").digest("bob", "b\u00e4 b").run(0, WHO));
        cases.add(
                "digest/replay",
                "/digest",
                Step.get("/digest/do/x"),
                Step.get("/digest/do/x").digest("ada", "lovelace").run(0, WHO),
                Step.get("/digest/do/x").digest("ada", "lovelace").run(0, WHO));
        cases.add(
                "digest/post",
                "/digest",
                Step.get("/digest/do/x"),
                Step.form("/digest/do/x", "a=b").digest("ada", "lovelace").run(0, "x.params()"));
        for (String given : List.of("Digest", "Digest nonsense", "Digest username=\"ada\"", "Basic YTpi")) {
            cases.add(
                    "digest/header " + given,
                    "/digest",
                    Step.get("/digest/do/x").header("Authorization", given));
        }
        forms(cases);
    }

    private static Step login(String user, String password) {
        return Step.form("/form/j_security_check", "j_username=" + user + "&j_password=" + password);
    }

    /** A case that begins with a request that is saved, a login, and the request that brings it back: Tomcat restores its header fields. */
    private static void after(Cases cases, String name, Step saved, Step back, Step... further) {
        Step[] all = new Step[3 + further.length];
        all[0] = saved;
        all[1] = login("ada", "lovelace");
        all[2] = back;
        System.arraycopy(further, 0, all, 3, further.length);
        cases.add(name, "/form", all);
    }

    private static Step ask(String path) {
        return Step.get("/form" + path)
                .run(0, WHO + "; x.params(); x.paths(); req.getMethod(); req.getContentType(); req.getContentLength()");
    }

    private static void forms(Cases cases) {
        for (String path : FORM_PATHS) {
            after(cases, "form/get " + path, ask(path), ask(path), ask("/do/x"));
            String look = "req.getMethod(); x.params(); req.getContentType(); req.getContentLength(); x.body()";
            after(
                    cases,
                    "form/post " + path,
                    Step.form("/form" + path, "p=1&q=%C3%A4").run(0, look),
                    Step.get("/form" + path).run(0, look),
                    ask(path));
            after(cases, "form/http10 " + path, ask(path).http10(), ask(path));
        }
        for (String type :
                List.of("application/json", "text/plain;charset=UTF-8", "multipart/form-data; boundary=b", "")) {
            String look = "req.getMethod(); req.getContentType(); x.body()";
            after(
                    cases,
                    "form/post of " + type,
                    Step.of("POST", "/form/do/x").body(type, "--b\r\n").run(0, look),
                    Step.get("/form/do/x").run(0, look));
        }
        after(
                cases,
                "form/put",
                Step.of("PUT", "/form/do/x").body("text/plain", "abc").run(0, "req.getMethod(); x.body()"),
                Step.get("/form/do/x").run(0, "req.getMethod(); x.body()"));
        cases.add(
                "form/large post",
                "/form",
                Step.form("/form/do/x", "a=" + "x".repeat(5000)).run(0, WHO),
                login("ada", "lovelace"),
                Step.get("/form/do/x").run(0, "req.getMethod(); x.params()"));
        cases.add(
                "form/wrong password",
                "/form",
                ask("/do/x"),
                login("ada", "wrong"),
                login("ada", "lovelace"),
                ask("/do/x"));
        cases.add("form/wrong role", "/form", ask("/do/boss/x"), login("ada", "lovelace"), ask("/do/boss/x"));
        cases.add("form/direct login", "/form", login("ada", "lovelace"), ask("/do/x"));
        cases.add(
                "form/login page first", "/form", Step.get("/form/login.html"), login("ada", "lovelace"), ask("/do/x"));
        cases.add(
                "form/login by get",
                "/form",
                ask("/do/x"),
                Step.get("/form/j_security_check?j_username=ada&j_password=lovelace"),
                ask("/do/x"));
        cases.add(
                "form/without password",
                "/form",
                ask("/do/x"),
                Step.form("/form/j_security_check", "j_username=ada"),
                Step.form("/form/j_security_check", ""),
                login("ada", "lovelace"));
        cases.add("form/encoded password", "/form", ask("/do/boss/x"), login("bob", "b%C3%A4+b"), ask("/do/boss/x"));
        cases.add(
                "form/other path of check",
                "/form",
                ask("/do/x"),
                Step.form("/form/do/j_security_check", "j_username=ada&j_password=lovelace"),
                ask("/do/x"));
        cases.add(
                "form/check with session in url",
                "/form",
                ask("/do/x"),
                Step.form("/form/j_security_check;jsessionid={session}", "j_username=ada&j_password=lovelace")
                        .withoutCookies(),
                Step.get("/form/do/x;jsessionid={session}").withoutCookies().run(0, WHO));
        cases.add(
                "form/twice",
                "/form",
                ask("/do/x"),
                ask("/do/any/x?second"),
                login("ada", "lovelace"),
                ask("/do/any/x?second"),
                login("ada", "lovelace"));
        cases.add(
                "form/login when logged in",
                "/form",
                ask("/do/x"),
                login("ada", "lovelace"),
                ask("/do/x"),
                login("bob", "b%C3%A4+b"),
                ask("/do/x"));
        after(
                cases,
                "form/logout",
                ask("/do/x"),
                ask("/do/x"),
                Step.get("/form/do/x").run(0, "req.logout(); req.getRemoteUser()"),
                ask("/do/x"));
        after(
                cases,
                "form/invalidate",
                ask("/do/x"),
                ask("/do/x"),
                Step.get("/form/do/x").run(0, "req.getSession().invalidate(); req.getRemoteUser()"),
                ask("/do/x"));
        after(
                cases,
                "form/head",
                Step.of("HEAD", "/form/do/x").run(0, "req.getMethod()"),
                Step.of("HEAD", "/form/do/x").run(0, "req.getMethod()"));
        cases.add(
                "form/own session before",
                "/form",
                Step.get("/form/open/x").run(0, "s = req.getSession(); s.setAttribute('own', 'kept')"),
                ask("/do/x"),
                login("ada", "lovelace"),
                ask("/do/x"),
                Step.get("/form/do/x").run(0, "req.getSession().getAttribute('own')"));
        cases.add(
                "form/programmatic login",
                "/form",
                Step.get("/form/open/x").run(0, "req.getSession().isNew(); req.login('ada', 'lovelace'); " + WHO),
                ask("/do/x"));
        cases.add(
                "form/authenticate",
                "/form",
                Step.get("/form/open/x?y=1").run(0, "req.authenticate(res); " + WHO),
                login("ada", "lovelace"),
                Step.get("/form/open/x?y=1").run(0, "req.authenticate(res); " + WHO));
    }
}
