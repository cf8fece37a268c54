package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.rewrite.RewriteRules;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the path looks like that a client was lured to, a redirect of the container's own … */
@OnDefaultCarriers
final class RedirectTest {

    private final Carrier carrier;

    RedirectTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @Test
    void leadsFromTheContextRootToNoOtherHost() throws Exception {
        try (Deployed app = deploy("/t", null)) {
            assertEquals("/evil.example/..;/t/", location(app, "GET //evil.example/..;/t HTTP/1.1", ""));
            assertEquals("/t/?a=//b", location(app, "GET //t?a=//b HTTP/1.1", ""));
        }
    }

    @Test
    void leadsFromADirectoryToNoOtherHost(@TempDir Path docBase) throws Exception {
        Files.createDirectories(docBase.resolve("dir"));
        try (Deployed app = deploy("/t", docBase)) {
            assertEquals("/evil.example/..;/t/dir/", location(app, "GET //evil.example/..;/t/dir HTTP/1.1", ""));
            assertEquals("/t/dir/?a", location(app, "GET ///t/dir?a HTTP/1.1", ""));
        }
    }

    @Test
    void leadsFromALoginToNoOtherHost() throws Exception {
        try (Deployed app = deploy("/x", null)) {
            String page = answer(app, "GET //evil.example/..;/x/secure?a=b HTTP/1.1", "", "");
            Matcher cookie = Pattern.compile("Set-Cookie: ([^;]+);").matcher(page);
            assertTrue(cookie.find(), page);
            String form = "j_username=ann&j_password=right";
            String head = "Cookie: " + cookie.group(1) + "\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: " + form.length() + "\r\n";
            String checked = answer(app, "POST /x/j_security_check HTTP/1.1", head, form);
            assertEquals("/evil.example/..;/x/secure?a=b", location(checked));
        }
    }

    @Test
    void isAbsoluteForHttp10AndIfRelativeOnesAreNotWanted(@TempDir Path docBase) throws Exception {
        Files.createDirectories(docBase.resolve("dir"));
        for (boolean relative : new boolean[] {true, false}) {
            String version = relative ? "HTTP/1.0" : "HTTP/1.1";
            try (Deployed app = deploy("/x", docBase, relative)) {
                assertEquals(
                        "http://shop.example/x/dir/?a",
                        location(app, "GET /x/dir?a " + version, "Connection: close\r\n"));
                assertEquals("http://shop.example/x/?a", location(app, "GET /x?a " + version, ""));
                assertEquals("http://shop.example/x/new?a", location(app, "GET /x/old?a " + version, ""));
                assertEquals("http://other.example/", location(app, "GET /x/away " + version, ""));
                assertEquals("http://shop.example/x/secure?a=b", login(app, "/x/secure?a=b", version));
            }
        }
    }

    private static String login(Deployed app, String target, String version) throws IOException {
        String page = answer(app, "GET " + target + " " + version, "", "");
        Matcher cookie = Pattern.compile("Set-Cookie: ([^;]+);").matcher(page);
        assertTrue(cookie.find(), page);
        String form = "j_username=ann&j_password=right";
        String head = "Cookie: " + cookie.group(1) + "\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: " + form.length() + "\r\n";
        return location(answer(app, "POST /x/j_security_check " + version, head, form));
    }

    @Test
    void endsTheResponseOfADirectory(@TempDir Path docBase) throws Exception {
        Files.createDirectories(docBase.resolve("dir"));
        WebApplicationBuilder application = WebApplication.builder("/t")
                .docBase(docBase)
                .filter(
                        "late",
                        (request, response, chain) -> {
                            chain.doFilter(request, response);
                            ((HttpServletResponse) response).setHeader("X-Late", "set");
                            response.getOutputStream().print("late");
                        },
                        "/*");
        try (Deployed app = Deployed.on(carrier, application)) {
            HttpResponse<String> answer = app.get("/t/dir");
            assertEquals(302, answer.statusCode());
            assertEquals("", answer.body());
            assertEquals("/t/dir/", answer.headers().firstValue("Location").orElse(""));
            assertTrue(answer.headers().firstValue("X-Late").isEmpty());
        }
    }

    @Test
    void leadsToHttpsOnTheHostThatWasAsked() throws Exception {
        try (Deployed app = deploy("/x", null)) {
            assertEquals(
                    "https://shop.example:8443/evil.example/..;/x/encrypted?a=b",
                    location(app, "GET //evil.example/..;/x/encrypted?a=b HTTP/1.1", ""));
        }
    }

    private static String location(Deployed app, String line, String fields) throws IOException {
        return location(answer(app, line, fields, ""));
    }

    private static String location(String answer) {
        Matcher field = Pattern.compile("\r\nLocation: (.*)\r\n").matcher(answer);
        assertTrue(field.find(), answer);
        return field.group(1);
    }

    private static String answer(Deployed app, String line, String fields, String body) throws IOException {
        try (RawClient client = RawClient.connect(app.port())) {
            client.send(line + "\r\nHost: shop.example\r\n" + fields + "\r\n" + body);
            return client.readUntil("\r\n\r\n");
        }
    }

    private Deployed deploy(String contextPath, @Nullable Path docBase) throws IOException {
        return deploy(contextPath, docBase, true);
    }

    private Deployed deploy(String contextPath, @Nullable Path docBase, boolean relative) throws IOException {
        Serving page = Serving.with((request, response) -> response.getWriter().print("page"));
        WebApplicationBuilder application = WebApplication.builder(contextPath)
                .servlet("page", page, "/secure", "/encrypted", "/login", "/error")
                .model(model -> {
                    model.loginConfig = new LoginConfigModel("FORM", null, "/login", "/error");
                    model.securityConstraints.add(constraint("/secure", List.of("**"), false));
                    model.securityConstraints.add(constraint("/encrypted", null, true));
                });
        if (docBase != null) {
            application.docBase(docBase);
        }
        return Deployed.on(
                carrier,
                application
                        .build()
                        .with(ServletOptions.REDIRECT_PORT, 8443)
                        .with(ContextOptions.USE_RELATIVE_REDIRECTS, relative)
                        .rewrite(RewriteRules.parse(
                                "RewriteRule ^/old$ /new [R]\nRewriteRule ^/away$ http://other.example/ [R]",
                                Path.of(""),
                                RewriteRules.NO_CLASSES))
                        .identities((name, password) ->
                                name.equals("ann") && password.equals("right") ? new Identity(name, Set.of()) : null));
    }

    private static SecurityConstraintModel constraint(String path, @Nullable List<String> roles, boolean encrypted) {
        return new SecurityConstraintModel(
                List.of(new Resources(List.of(path), List.of(), List.of())), roles, encrypted);
    }
}
