package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.servlet.SessionTrackingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FORM on a real server (Servlet 3.1, 13.6.3). */
@OnDefaultCarriers
final class FormLoginTest {

    private final Carrier carrier;

    FormLoginTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String RIGHT = "j_username=ann&j_password=s%C3%A9cret";

    @Test
    void redirectsToTheRequestedPageAfterTheLogin() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            HttpResponse<String> page = app.get("/app/in/orders?n=1&n=2");
            assertEquals(200, page.statusCode());
            assertEquals("login page GET", page.body());
            assertEquals("private", field(page, "Cache-Control"));
            String before = cookie(page);
            HttpResponse<String> checked = post(app, "/app/j_security_check", before, RIGHT);
            assertEquals(303, checked.statusCode());
            assertEquals("/app/in/orders?n=1&n=2", field(checked, "Location"));
            String after = cookie(checked);
            assertNotEquals(before, after);
            HttpResponse<String> orders = get(app, "/app/in/orders?n=1&n=2", after);
            assertEquals("GET n=1&n=2 [1, 2] ann FORM admin:true body:", orders.body());
            assertEquals("login page GET", get(app, "/app/in/orders", before).body(), "the old id is worth nothing");
        }
    }

    @Test
    void servesAFormThatWasSentBeforeTheLogin() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            HttpResponse<String> page = app.send(app.request("/app/in/orders")
                    .header("Content-Type", FORM)
                    .header("X-Token", "t1")
                    .POST(BodyPublishers.ofString("n=7&other=x")));
            assertEquals("login page GET", page.body());
            String session = cookie(post(app, "/app/j_security_check", cookie(page), RIGHT));
            assertEquals(
                    "POST null [7] ann FORM admin:true body:t1",
                    get(app, "/app/in/orders", session).body());
            assertEquals(
                    "GET null null ann FORM admin:true body:",
                    get(app, "/app/in/orders", session).body(),
                    "once only");
        }
    }

    @Test
    void servesABodyThatWasSentBeforeTheLogin() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            HttpResponse<String> page = app.send(app.request("/app/in/raw")
                    .header("Content-Type", "text/plain")
                    .method("PUT", BodyPublishers.ofString("a body")));
            String session = cookie(post(app, "/app/j_security_check", cookie(page), RIGHT));
            assertEquals(
                    "PUT 6 text/plain a body", get(app, "/app/in/raw", session).body());
        }
    }

    @Test
    void keepsNoMoreThanTheConnectorAllows() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            HttpResponse<String> refused = app.post("/app/in/orders", FORM, "n=" + "x".repeat(4095));
            assertEquals(403, refused.statusCode());
            assertEquals(
                    200,
                    app.post("/app/in/orders", FORM, "n=" + "x".repeat(4094)).statusCode());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "j_username=ann&j_password=wrong",
                "j_username=nobody&j_password=s%C3%A9cret",
                "j_username=ann",
                "j_password=s%C3%A9cret",
                "",
            })
    void showsTheErrorPageForWrongCredentials(String form) throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            String session = cookie(app.get("/app/in/orders"));
            HttpResponse<String> answer = post(app, "/app/j_security_check", session, form);
            assertEquals(200, answer.statusCode());
            assertEquals("error page GET", answer.body());
            assertEquals("login page GET", get(app, "/app/in/orders", session).body());
        }
    }

    @Test
    void readsCredentialsInIso88591AsWell() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            String session = cookie(app.get("/app/in/orders"));
            String form = "j_username=ann&j_password=s%E9cret";
            assertEquals(303, post(app, "/app/j_security_check", session, form).statusCode());
        }
    }

    /** Login CSRF: an attacker's page must not log its visitors in as somebody else. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "GET"})
    void rejectsALoginThatNoRequestLedTo(String method) throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            HttpResponse<String> answer = method.equals("POST")
                    ? app.post("/app/j_security_check", FORM, RIGHT)
                    : app.get("/app/j_security_check?" + RIGHT);
            assertEquals(408, answer.statusCode());
            assertEquals("none", field(answer, "Set-Cookie"));
            String session = cookie(app.get("/app/new"));
            assertEquals(400, post(app, "/app/j_security_check", session, RIGHT).statusCode());
            assertEquals("login page GET", get(app, "/app/in/orders", session).body());
        }
    }

    @Test
    void takesNoFormFromAnotherSite() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            String session = cookie(app.get("/app/in/orders"));
            HttpResponse<String> answer = app.send(app.request("/app/j_security_check")
                    .header("Cookie", session)
                    .header("Content-Type", FORM)
                    .header("Sec-Fetch-Site", "cross-site")
                    .POST(BodyPublishers.ofString(RIGHT)));
            assertEquals(403, answer.statusCode());
            assertEquals("login page GET", get(app, "/app/in/orders", session).body());
        }
    }

    @Test
    void goesToTheLandingPageIfNothingLedToTheLogin() throws Exception {
        try (Deployed app = deploy(
                SessionTrackingMode.COOKIE, Settings.DEFAULTS.with(LoginOptions.LANDING_PAGE, "/in/orders?n=1"))) {
            HttpResponse<String> stranger = app.post("/app/j_security_check", FORM, RIGHT);
            assertEquals(303, stranger.statusCode());
            assertEquals("/app/in/orders?n=1", field(stranger, "Location"));
            assertEquals("none", field(stranger, "Set-Cookie"), "not logged in");
            HttpResponse<String> answer = post(app, "/app/j_security_check", cookie(app.get("/app/new")), RIGHT);
            assertEquals("/app/in/orders?n=1", field(answer, "Location"));
            assertEquals(
                    "GET null null ann FORM admin:true body:",
                    get(app, "/app/in/orders", cookie(answer)).body());
        }
    }

    /** Servlet 3.1, 13.6.3: 303 is for clients of HTTP/1.1. */
    @Test
    void redirectsClientsOfHttp10By302() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE);
                RawClient client = RawClient.connect(app.port())) {
            client.send("POST /app/j_security_check HTTP/1.0\r\nCookie: " + cookie(app.get("/app/in/orders"))
                    + "\r\nContent-Type: " + FORM + "\r\nContent-Length: " + RIGHT.length() + "\r\n\r\n" + RIGHT);
            assertTrue(client.readUntil("\r\n").contains(" 302 "));
        }
    }

    /** A stranger's request is kept for a short time only. */
    @Test
    void keepsSavedRequestsForTheAuthenticationTimeout() throws Exception {
        try (Deployed app = deploy(
                SessionTrackingMode.COOKIE, Settings.DEFAULTS.with(LoginOptions.AUTHENTICATION_SESSION_TIMEOUT, 77))) {
            String session = cookie(app.get("/app/in/orders"));
            assertEquals("77", get(app, "/app/idle", session).body());
            assertEquals(
                    "login page GET", get(app, "/app/in/orders?n=2", session).body());
            String after = cookie(post(app, "/app/j_security_check", session, RIGHT));
            assertEquals("1800", get(app, "/app/idle", after).body());
            String known = cookie(app.get("/app/new"));
            assertEquals("login page GET", get(app, "/app/in/orders", known).body());
            assertEquals("1800", get(app, "/app/idle", known).body(), "a session that was there before");
        }
    }

    /** Whatever directory the login page is in, its form is sent to a place beside it. */
    @Test
    void takesTheFormInAnyDirectory() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            String session = cookie(app.get("/app/in/orders"));
            assertEquals(
                    303,
                    post(app, "/app/in/deep/j_security_check", session, RIGHT).statusCode());
        }
    }

    @Test
    void showsThePagesThemselvesToEverybody() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            assertEquals("login page GET", app.body("/app/in/login"));
            assertEquals("error page GET", app.body("/app/in/error"));
        }
    }

    @Test
    void forgetsTheLoginAtLogout() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            String session = cookie(post(app, "/app/j_security_check", cookie(app.get("/app/in/orders")), RIGHT));
            assertEquals("out", get(app, "/app/out", session).body());
            assertEquals("login page GET", get(app, "/app/in/orders", session).body());
        }
    }

    @Test
    void asksByThePageWhenTheApplicationAuthenticates() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            HttpResponse<String> page = app.get("/app/ask");
            assertEquals("login page GET", page.body());
            String session = cookie(post(app, "/app/j_security_check", cookie(page), RIGHT));
            assertEquals("asked: ann", get(app, "/app/ask", session).body());
        }
    }

    @Test
    void leavesThePageThatLedToTheLoginInPlaceWhenItsPicturesAreAskedFor() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.COOKIE)) {
            String session = cookie(app.get("/app/in/orders"));
            app.send(app.request("/app/in/logo.png").header("Cookie", session).header("Sec-Fetch-Mode", "no-cors"));
            assertTrue(field(post(app, "/app/j_security_check", session, RIGHT), "Location")
                    .endsWith("/app/in/orders"));
        }
    }

    @Test
    void worksWithSessionsInUrls() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.URL)) {
            String page = app.body("/app/in/link");
            String before = page.substring(page.indexOf(";jsessionid="));
            HttpResponse<String> checked = app.post("/app/j_security_check" + before, FORM, RIGHT);
            String location = field(checked, "Location");
            assertTrue(location.contains("/app/in/link;jsessionid="), location);
            assertNotEquals(before, location.substring(location.indexOf(";jsessionid=")));
            String path = location.substring(location.indexOf("/app/"));
            assertTrue(app.body(path).startsWith("linked ann"), () -> path);
        }
    }

    /** The page in place of a request whose path has a session's id must not lead back to that id. */
    @Test
    void dropsTheOldIdFromTheUrlItLeadsBackTo() throws Exception {
        try (Deployed app = deploy(SessionTrackingMode.URL)) {
            String link = app.body("/app/in/link");
            String old = link.substring(link.indexOf(";jsessionid="));
            app.get("/app/in/orders" + old + "?n=1");
            String location = field(app.post("/app/j_security_check" + old, FORM, RIGHT), "Location");
            assertEquals(location.indexOf(";jsessionid="), location.lastIndexOf(";jsessionid="), location);
            assertTrue(location.endsWith("?n=1"), location);
            assertTrue(app.body(location.substring(location.indexOf("/app/"))).startsWith("GET n=1 [1] ann"));
        }
    }

    private static HttpResponse<String> get(Deployed app, String path, String cookie) throws Exception {
        return app.send(app.request(path).header("Cookie", cookie));
    }

    private static HttpResponse<String> post(Deployed app, String path, String cookie, String form) throws Exception {
        return app.send(app.request(path)
                .header("Cookie", cookie)
                .header("Content-Type", FORM)
                .POST(BodyPublishers.ofString(form)));
    }

    private static String field(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }

    private static String cookie(HttpResponse<String> answer) {
        String field = answer.headers().firstValue("Set-Cookie").orElseThrow();
        return field.substring(0, field.indexOf(';'));
    }

    private Deployed deploy(SessionTrackingMode mode) throws IOException {
        return deploy(mode, Settings.DEFAULTS);
    }

    private Deployed deploy(SessionTrackingMode mode, Settings settings) throws IOException {
        Serving orders = Serving.with((request, response) -> response.getWriter()
                .print(request.getMethod() + " " + request.getQueryString() + " "
                        + (request.getParameterValues("n") == null ? null : List.of(request.getParameterValues("n")))
                        + " " + request.getRemoteUser() + " " + request.getAuthType() + " admin:"
                        + request.isUserInRole("admin") + " body:"
                        + java.util.Objects.toString(request.getHeader("X-Token"), "")));
        Serving raw = Serving.with((request, response) -> response.getWriter()
                .print(request.getMethod() + " " + request.getContentLength() + " " + request.getContentType() + " "
                        + new String(request.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)));
        return Deployed.on(
                carrier,
                WebApplication.builder("/app")
                        .servlet("orders", orders, "/in/orders", "/in/logo.png")
                        .servlet("raw", raw, "/in/raw")
                        .servlet("login", page("login page"), "/in/login")
                        .servlet("error", page("error page"), "/in/error")
                        .servlet(
                                "link",
                                Serving.with((request, response) -> response.getWriter()
                                        .print("linked " + request.getRemoteUser() + response.encodeURL("/app/x"))),
                                "/in/link")
                        .servlet(
                                "out",
                                Serving.with((request, response) -> {
                                    request.logout();
                                    response.getWriter().print("out");
                                }),
                                "/out")
                        .servlet(
                                "ask",
                                Serving.with((request, response) -> {
                                    if (request.authenticate(response)) {
                                        response.getWriter().print("asked: " + request.getRemoteUser());
                                    }
                                }),
                                "/ask")
                        .servlet(
                                "new",
                                Serving.with((request, response) -> response.getWriter()
                                        .print(request.getSession().getId())),
                                "/new")
                        .servlet(
                                "idle",
                                Serving.with((request, response) -> response.getWriter()
                                        .print(request.getSession().getMaxInactiveInterval())),
                                "/idle")
                        .configure(context -> context.setSessionTrackingModes(EnumSet.of(mode)))
                        .model(model -> {
                            model.loginConfig = new LoginConfigModel("FORM", null, "/in/login", "/in/error?why=wrong");
                            model.securityConstraints.add(new SecurityConstraintModel(
                                    List.of(new Resources(List.of("/in/*"), List.of(), List.of())),
                                    List.of("admin"),
                                    false));
                        })
                        .build()
                        .with(settings)
                        .identities((name, password) -> name.equals("ann") && password.equals("sécret")
                                ? new Identity(name, Set.of("admin"))
                                : null));
    }

    /** With URL tracking it shows the session's id, as a page's form would have it. */
    private static Serving page(String text) {
        return Serving.with((request, response) -> {
            String encoded = response.encodeURL("/app/j_security_check");
            int id = encoded.indexOf(';');
            response.getWriter().print(text + " " + request.getMethod() + (id < 0 ? "" : encoded.substring(id)));
        });
    }
}
