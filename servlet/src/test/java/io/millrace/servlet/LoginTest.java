package io.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.settings.ServletOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Constraints and logins on a real server. */
@OnDefaultCarriers
final class LoginTest {

    private final Carrier carrier;

    LoginTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @ParameterizedTest
    @CsvSource({
        "/app/open, '', 200",
        "/app/admin/x, '', 401",
        "/app/admin/x, ann:right, 200",
        "/app/admin/x, ann:wrong, 401",
        "/app/admin/x, nobody:right, 401",
        "/app/admin/x, ann, 401",
        "/app/admin/x, bob:right, 403",
        "/app/admin, '', 401",
        "/app/admin/../admin/x, '', 401",
        "/app/open/%2e%2e/admin/x, '', 401",
        "/app/%61dmin/x, '', 401",
        "/app/admin;a=b/x, '', 401",
        "/app//admin/x, '', 401",
        "/app/x/..;/admin/x, '', 401",
        "/app/closed, ann:right, 403",
        "/app/tls, '', 302",
    })
    void admitsWhoMay(String path, String credentials, int status) throws Exception {
        try (Deployed app = deploy("BASIC", 8443)) {
            HttpResponse<String> answer = get(app, path, credentials);
            assertEquals(status, answer.statusCode());
            if (status == 401) {
                assertEquals(
                        "Basic realm=\"a \\\"realm\\\"\", charset=\"UTF-8\"",
                        answer.headers().firstValue("WWW-Authenticate").orElse(""));
            }
            if (status == 302) {
                assertEquals(
                        "https://127.0.0.1:8443/app/tls",
                        answer.headers().firstValue("Location").orElse(""));
            }
        }
    }

    @Test
    void refusesPlainHttpWhereThereIsNoHttps() throws Exception {
        try (Deployed app = deploy("BASIC", 0)) {
            assertEquals(403, app.get("/app/tls").statusCode());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"FORM", "X-OURS", ""}) // FORM without its pages
    void staysClosedWithALoginMethodItDoesNotKnow(String method) throws Exception {
        try (Deployed app = deploy(method.isEmpty() ? null : method, 8443)) {
            assertEquals(403, get(app, "/app/admin/x", "ann:right").statusCode());
            assertEquals(403, app.get("/app/admin/x").statusCode());
            assertEquals(200, app.get("/app/open").statusCode());
        }
    }

    @Test
    void identifiesTheUserToTheApplication() throws Exception {
        try (Deployed app = deploy("BASIC", 8443)) {
            assertEquals(
                    "ann ann BASIC admin:true boss:true user:false **:true *:false",
                    get(app, "/app/admin/x", "ann:right").body());
            assertEquals("null null null admin:false boss:false user:false **:false *:false", app.body("/app/open"));
        }
    }

    @Test
    void givesTheSessionANewIdAtLoginAndRemembersIt() throws Exception {
        try (Deployed app = deploy("BASIC", 8443)) {
            String before = cookie(app.get("/app/session"));
            HttpResponse<String> login = app.send(app.request("/app/login").header("Cookie", before));
            String after = cookie(login);
            assertNotEquals(before, after);
            assertTrue(login.body().startsWith("ann ann BASIC"));
            HttpResponse<String> later = app.send(app.request("/app/admin/x").header("Cookie", after));
            assertEquals(200, later.statusCode());
            assertEquals(
                    401,
                    app.send(app.request("/app/admin/x").header("Cookie", before))
                            .statusCode());
            app.send(app.request("/app/logout").header("Cookie", after));
            assertEquals(
                    401,
                    app.send(app.request("/app/admin/x").header("Cookie", after))
                            .statusCode());
        }
    }

    private static String cookie(HttpResponse<String> answer) {
        String field = answer.headers().firstValue("Set-Cookie").orElseThrow();
        return field.substring(0, field.indexOf(';'));
    }

    private static HttpResponse<String> get(Deployed app, String path, String credentials) throws Exception {
        var request = app.request(path);
        if (!credentials.isEmpty()) {
            String encoded = Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
            request.header("Authorization", "Basic " + encoded);
        }
        return app.send(request);
    }

    private Deployed deploy(@Nullable String method, int redirectPort) throws IOException {
        Serving who = Serving.with((request, response) -> {
            response.getWriter().print(request.getRemoteUser() + " ");
            response.getWriter()
                    .print((request.getUserPrincipal() == null
                                    ? null
                                    : request.getUserPrincipal().getName()) + " ");
            response.getWriter().print(request.getAuthType());
            for (String role : List.of("admin", "boss", "user", "**", "*")) {
                response.getWriter().print(" " + role + ":" + request.isUserInRole(role));
            }
        });
        return Deployed.on(
                carrier,
                WebApplication.builder("/app")
                        .servlet("who", who, "/")
                        .servlet("session", Serving.with((request, response) -> request.getSession()), "/session")
                        .servlet("logout", Serving.with((request, response) -> request.logout()), "/logout")
                        .servlet(
                                "login",
                                Serving.with((request, response) -> {
                                    try {
                                        request.login("ann", "wrong");
                                        throw new AssertionError("accepted");
                                    } catch (ServletException expected) {
                                        request.login("ann", "right");
                                    }
                                    who.service(request, response);
                                }),
                                "/login")
                        .model(model -> {
                            model.loginConfig = new LoginConfigModel(method, "a \"realm\"", null, null);
                            model.servlet("who").roleReferences.put("boss", "admin");
                            model.securityConstraints.add(constraint("/admin/*", List.of("admin"), false));
                            model.securityConstraints.add(constraint("/closed", List.of(), false));
                            model.securityConstraints.add(constraint("/tls", null, true));
                        })
                        .build()
                        .with(ServletOptions.REDIRECT_PORT, redirectPort)
                        .identities((name, password) -> !password.equals("right") || name.equals("nobody")
                                ? null
                                : new Identity(name, Set.of(name.equals("ann") ? "admin" : "guest"))));
    }

    private static SecurityConstraintModel constraint(String pattern, @Nullable List<String> roles, boolean tls) {
        return new SecurityConstraintModel(List.of(new Resources(List.of(pattern), List.of(), List.of())), roles, tls);
    }
}
