package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.filter.CsrfPreventionFilter;
import io.millrace.servlet.filter.RestCsrfPreventionFilter;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Requests that pages of other servers forge … */
final class CsrfFiltersTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String NONCE = "org.apache.catalina.filters.CSRF_NONCE";

    private static Deployed pages(String... parameters) throws Exception {
        return Filtered.deploy(
                new CsrfPreventionFilter(),
                (request, response) -> {
                    if (request.getParameter("encode") != null) {
                        response.getWriter().print(response.encodeURL(request.getParameter("encode")));
                    } else {
                        response.getWriter().print(request.getAttribute(NONCE));
                    }
                },
                parameters);
    }

    private static String session(HttpResponse<?> answer) {
        return answer.headers().firstValue("Set-Cookie").orElse("").split(";", 2)[0];
    }

    private static HttpResponse<String> send(Deployed app, String path, String cookie, String form) throws Exception {
        HttpRequest.Builder request = app.request(path).header("Cookie", cookie);
        return app.send(
                form.isEmpty() ? request : request.header("Content-Type", FORM).POST(BodyPublishers.ofString(form)));
    }

    @Test
    void bringNoNumberAndAreRefused() throws Exception {
        try (Deployed app = pages("entryPoints", "/home", "denyStatus", "404")) {
            HttpResponse<String> home = app.get("/app/home");
            String cookie = session(home);
            assertEquals(200, home.statusCode());
            assertEquals(404, app.get("/app/page").statusCode());
            assertEquals(404, send(app, "/app/page", cookie, "a=b").statusCode());
            assertEquals(404, send(app, "/app/home", cookie, "a=b").statusCode());
            assertEquals(404, send(app, "/app/page", cookie, NONCE + "=0123").statusCode());
            assertEquals(
                    404,
                    send(app, "/app/page", "JSESSIONID=1", NONCE + '=' + home.body())
                            .statusCode());
            assertEquals(
                    200,
                    send(app, "/app/page", cookie, NONCE + '=' + home.body()).statusCode());
            assertEquals(
                    200,
                    send(app, "/app/page?" + NONCE + '=' + home.body(), cookie, "")
                            .statusCode());
        }
    }

    @Test
    void bringANumberThatIsForgotten() throws Exception {
        try (Deployed app = pages("entryPoints", "/home", "nonceCacheSize", "2")) {
            HttpResponse<String> home = app.get("/app/home");
            String cookie = session(home);
            String form = NONCE + '=' + home.body();
            assertEquals(200, send(app, "/app/page", cookie, form).statusCode());
            String next = send(app, "/app/home", cookie, "").body();
            assertNotEquals(home.body(), next);
            assertEquals(403, send(app, "/app/page", cookie, form).statusCode());
            assertEquals(200, send(app, "/app/page", cookie, NONCE + '=' + next).statusCode());
        }
    }

    @Test
    void areLetThroughIfTheFilterOnlyObserves() throws Exception {
        try (Deployed app = pages("enforce", "false", "nonceRequestParameterName", "n")) {
            assertTrue(app.body("/app/page?encode=/x").matches("/x.*\\?n=[0-9A-F]{32}"));
        }
    }

    @Test
    void doNotLearnTheNumberByLinksThatLeadElsewhere() throws Exception {
        try (Deployed app =
                pages("enforce", "false", "nonceRequestParameterName", "n", "noNonceURLPatterns", "*.png, /s/*")) {
            String own = "http://127.0.0.1:" + app.port();
            for (String url : new String[] {
                "mailto:a@b", "http://127.0.0.1:1/", "//c.example/", own + ".example/", "/a.png", "/s/x", "%23a"
            }) {
                String marked = app.body("/app/page?encode=" + url);
                assertTrue(!marked.contains("n=") && !marked.isEmpty(), marked);
            }
            for (String url : new String[] {own + "/", "/a", "?a=b", "a%3Fx=y%26n=old%23f"}) {
                String marked = app.body("/app/page?encode=" + url);
                assertTrue(marked.matches("[^#]*[?&]n=[0-9A-F]{32}(#f)?") && !marked.contains("old"), marked);
            }
        }
    }

    @Test
    void lackTheFieldThatRestClientsSend() throws Exception {
        try (Deployed app = Filtered.deploy(
                new RestCsrfPreventionFilter(),
                (request, response) -> response.getWriter().print("in"),
                "pathsAcceptingParams",
                "/param")) {
            HttpResponse<String> fetched = app.send(app.request("/app/list").header("X-CSRF-Token", "Fetch"));
            String cookie = session(fetched);
            String token = fetched.headers().firstValue("X-CSRF-Token").orElse("");
            assertEquals("in", fetched.body());
            HttpResponse<String> refused = send(app, "/app/change", cookie, "a=b");
            assertEquals(403, refused.statusCode());
            assertEquals(
                    "Required", refused.headers().firstValue("X-CSRF-Token").orElse(""));
            assertEquals(
                    "in",
                    app.send(app.request("/app/change")
                                    .header("Cookie", cookie)
                                    .header("X-CSRF-Token", token)
                                    .DELETE())
                            .body());
            assertEquals(
                    "in",
                    send(app, "/app/param", cookie, "X-CSRF-Token=" + token).body());
            assertEquals(
                    403,
                    send(app, "/app/other", cookie, "X-CSRF-Token=" + token).statusCode());
            assertEquals(
                    403,
                    send(app, "/app/param?X-CSRF-Token=1", cookie, "X-CSRF-Token=" + token)
                            .statusCode());
            assertEquals(
                    token,
                    app.send(app.request("/app/list").header("Cookie", cookie).header("X-CSRF-Token", "fetch"))
                            .headers()
                            .firstValue("X-CSRF-Token")
                            .orElse(""));
        }
    }
}
