package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.filter.CorsFilter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** To pages of other origins, the filter … */
final class CorsFilterTest {

    private static final String[] SOME = {
        "cors.allowed.origins", "https://a.example, https://b.example:8443",
        "cors.allowed.methods", "GET,PUT",
        "cors.allowed.headers", "X-Own",
        "cors.exposed.headers", "X-Told",
        "cors.support.credentials", "true",
        "cors.preflight.maxage", "10"
    };

    private static Deployed deploy(String... parameters) throws Exception {
        return Filtered.deploy(
                new CorsFilter(),
                (request, response) -> response.getWriter()
                        .print("in " + request.getAttribute("cors.request.type") + ' '
                                + request.getAttribute("cors.isCorsRequest")),
                parameters);
    }

    private static HttpResponse<String> from(Deployed app, String origin, String method, String... fields)
            throws Exception {
        var request =
                app.request("/app/x").method(method, BodyPublishers.noBody()).header("Origin", origin);
        for (int i = 0; i < fields.length; i += 2) {
            request.header(fields[i], fields[i + 1]);
        }
        return app.send(request);
    }

    private static String field(HttpResponse<?> answer, String name) {
        return String.join(",", answer.headers().allValues(name));
    }

    @Test
    void givesWhatIsAllowed() throws Exception {
        try (Deployed app = deploy(SOME)) {
            HttpResponse<String> answer = from(app, "https://B.example:8443", "GET");
            assertEquals("in SIMPLE true", answer.body());
            assertEquals("https://B.example:8443", field(answer, "Access-Control-Allow-Origin"));
            assertEquals("true", field(answer, "Access-Control-Allow-Credentials"));
            assertEquals("X-Told", field(answer, "Access-Control-Expose-Headers"));
            assertEquals("Origin", field(answer, "Vary"));
            assertEquals("in ACTUAL true", from(app, "https://a.example", "PUT").body());
        }
    }

    @Test
    void refusesOtherOriginsAndMethods() throws Exception {
        try (Deployed app = deploy(SOME)) {
            for (String origin :
                    new String[] {"https://c.example", "http://a.example", "https://a.example:1", "null"}) {
                HttpResponse<String> answer = from(app, origin, "GET");
                assertEquals(403, answer.statusCode(), origin);
                assertEquals("", answer.body());
                assertEquals("", field(answer, "Access-Control-Allow-Origin"));
            }
            assertEquals(403, from(app, "https://a.example", "POST").statusCode());
            assertEquals(403, from(app, "no origin", "GET").statusCode());
        }
    }

    @Test
    void isOutOfTheWayOfTheApplicationsOwnPages() throws Exception {
        try (Deployed app = deploy()) {
            assertEquals("in null false", app.body("/app/x"));
            assertEquals(
                    "in null false",
                    from(app, "http://127.0.0.1:" + app.port(), "POST").body());
            assertEquals(403, from(app, "http://127.0.0.1:1", "GET").statusCode());
        }
    }

    @Test
    void answersPreflightRequests() throws Exception {
        try (Deployed app = deploy(SOME)) {
            HttpResponse<String> answer = from(
                    app,
                    "https://a.example",
                    "OPTIONS",
                    "Access-Control-Request-Method",
                    "PUT",
                    "Access-Control-Request-Headers",
                    "x-own");
            assertEquals(200, answer.statusCode());
            assertEquals("", answer.body());
            assertEquals("https://a.example", field(answer, "Access-Control-Allow-Origin"));
            assertEquals("GET,PUT", field(answer, "Access-Control-Allow-Methods"));
            assertEquals("X-Own", field(answer, "Access-Control-Allow-Headers"));
            assertEquals("10", field(answer, "Access-Control-Max-Age"));
            assertTrue(field(answer, "Vary").contains("Access-Control-Request-Method"));
        }
    }

    @Test
    void refusesPreflightRequestsForMore() throws Exception {
        try (Deployed app = deploy(SOME)) {
            String method = "Access-Control-Request-Method";
            assertEquals(
                    403,
                    from(app, "https://a.example", "OPTIONS", method, "DELETE").statusCode());
            assertEquals(
                    403,
                    from(app, "https://c.example", "OPTIONS", method, "PUT").statusCode());
            assertEquals(
                    403,
                    from(
                                    app,
                                    "https://a.example",
                                    "OPTIONS",
                                    method,
                                    "PUT",
                                    "Access-Control-Request-Headers",
                                    "X-Own,X-No")
                            .statusCode());
        }
    }

    @Test
    void givesEveryOriginWhatIsForAll() throws Exception {
        try (Deployed app = deploy("cors.allowed.origins", "*")) {
            HttpResponse<String> answer = from(app, "https://any.example", "GET");
            assertEquals("*", field(answer, "Access-Control-Allow-Origin"));
            assertEquals("", field(answer, "Vary"));
            assertEquals("*", field(app.get("/app/x"), "Access-Control-Allow-Origin"));
        }
    }
}
