package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.RunAs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.servlet.AsyncContext;
import javax.servlet.HttpConstraintElement;
import javax.servlet.HttpMethodConstraintElement;
import javax.servlet.ReadListener;
import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletSecurityElement;
import javax.servlet.annotation.HttpConstraint;
import javax.servlet.annotation.HttpMethodConstraint;
import javax.servlet.annotation.ServletSecurity;
import javax.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import javax.servlet.annotation.ServletSecurity.TransportGuarantee;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What constraints and roles come to on a real server, whatever the login method. */
@OnDefaultCarriers
final class SecurityTest {

    private final Carrier carrier;

    SecurityTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private static final String ANN =
            "Basic " + Base64.getEncoder().encodeToString("ann:right".getBytes(StandardCharsets.US_ASCII));

    @TempDir
    Path directory;

    @Test
    void keepsConstrainedResourcesOutOfSharedCaches() throws Exception {
        try (Deployed app = deploy(basic().servlet("x", Serving.with((request, response) -> {}), "/"))) {
            for (int status : new int[] {401, 200}) {
                HttpResponse<String> answer = status == 401 ? app.get("/app/in/x") : asAnn(app, "/app/in/x");
                assertEquals(status, answer.statusCode());
                assertEquals("private", field(answer, "Cache-Control"));
                assertEquals("Thu, 01 Jan 1970 00:00:00 GMT", field(answer, "Expires"));
            }
            assertEquals("", field(app.get("/app/out"), "Cache-Control"));
            assertEquals("", field(app.post("/app/in/x", "text/plain", "x"), "Cache-Control"));
        }
    }

    @Test
    void keepsThemOutOfBrowsersCachesIfAsked() throws Exception {
        WebApplication application = basic().servlet("x", Serving.with((request, response) -> {}), "/")
                .build()
                .with(LoginOptions.SECURE_PAGES_WITH_PRAGMA, true);
        try (Deployed app = deploy(application)) {
            HttpResponse<String> answer = asAnn(app, "/app/in/x");
            assertEquals("no-cache", field(answer, "Cache-Control"));
            assertEquals("No-cache", field(answer, "Pragma"));
        }
    }

    /** What stands for a directory is constrained by its own name and by the directory's. */
    @Test
    void constrainsWelcomeFiles() throws Exception {
        Files.writeString(Files.createDirectories(directory.resolve("a")).resolve("index.html"), "welcome");
        WebApplicationBuilder application = WebApplication.builder("/app")
                .docBase(directory)
                .welcomeFiles("index.html")
                .model(model -> {
                    model.loginConfig = new LoginConfigModel("BASIC", null, null, null);
                    model.securityConstraints.add(constraint("/a/index.html", List.of("admin")));
                });
        try (Deployed app = deploy(application)) {
            assertEquals(401, app.get("/app/a/index.html").statusCode());
            assertEquals(401, app.get("/app/a/").statusCode());
            assertEquals("welcome", asAnn(app, "/app/a/").body());
        }
    }

    @Test
    void deniesUncoveredMethodsIfAsked() throws Exception {
        WebApplicationBuilder application = basic().servlet("x", Serving.with((request, response) -> {}), "/")
                .model(model -> {
                    model.denyUncoveredHttpMethods = true;
                    model.securityConstraints.add(new SecurityConstraintModel(
                            List.of(new Resources(List.of("/gets"), List.of("GET"), List.of())), null, false));
                });
        try (Deployed app = deploy(application)) {
            assertEquals(200, app.get("/app/gets").statusCode());
            assertEquals(403, app.post("/app/gets", "text/plain", "").statusCode());
            assertEquals(
                    403,
                    app.send(app.request("/app/gets")
                                    .header("Authorization", ANN)
                                    .DELETE())
                            .statusCode());
        }
    }

    /** Servlet 3.1, 13.8.4: methods that an annotation leaves to its default are uncovered. */
    @Test
    void deniesWhatAnAnnotationLeavesUncoveredIfAsked() throws Exception {
        WebApplicationBuilder application = basic().servlet("annotated", Annotated.class, "/annotated")
                .model(model -> model.denyUncoveredHttpMethods = true);
        try (Deployed app = deploy(application)) {
            assertEquals(401, app.get("/app/annotated").statusCode());
            assertEquals(200, asAnn(app, "/app/annotated").statusCode());
            for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "HEAD")) {
                assertEquals(
                        403,
                        app.send(app.request("/app/annotated").method(method, HttpRequest.BodyPublishers.noBody()))
                                .statusCode(),
                        method);
            }
        }
    }

    @Test
    void answersUnavailableWhileNobodyCanCheckALogin() throws Exception {
        WebApplication application = basic().servlet("x", Serving.with((request, response) -> {}), "/")
                .build();
        application.identities((name, password) -> {
            throw new StoreUnavailableException("the database is down", new SQLException("down"));
        });
        try (Deployed app = Deployed.on(carrier, application)) {
            assertEquals(401, app.get("/app/in/x").statusCode());
            assertEquals(503, asAnn(app, "/app/in/x").statusCode());
        }
    }

    @Test
    void obeysAnnotationsOnServletsAddedInCode() throws Exception {
        WebApplicationBuilder application = basic().servlet("annotated", Annotated.class, "/annotated")
                .configure(context -> added(context.addServlet("named", Annotated.class.getName()))
                        .addMapping("/named"))
                .servlet("said", new Annotated(), registration -> {
                    registration.addMapping("/said");
                    registration.setServletSecurity(new ServletSecurityElement(
                            new HttpConstraintElement(EmptyRoleSemantic.DENY),
                            Set.of(new HttpMethodConstraintElement(
                                    "GET", new HttpConstraintElement(TransportGuarantee.NONE, "admin")))));
                });
        try (Deployed app = deploy(application)) {
            assertEquals(401, app.get("/app/annotated").statusCode());
            assertEquals(200, asAnn(app, "/app/annotated").statusCode());
            assertEquals(200, app.post("/app/annotated", "text/plain", "").statusCode());
            assertEquals(401, app.get("/app/named").statusCode());
            assertEquals(401, app.get("/app/said").statusCode());
            assertEquals(200, asAnn(app, "/app/said").statusCode());
            assertEquals(403, app.post("/app/said", "text/plain", "").statusCode());
        }
    }

    @Test
    void runsAServletInItsRole() throws Exception {
        RunAsServlet caller = new RunAsServlet();
        WebApplicationBuilder application = WebApplication.builder("/app")
                .servlet("caller", caller, registration -> {
                    registration.addMapping("/caller");
                    registration.setRunAsRole("robot");
                })
                .servlet(
                        "target",
                        Serving.with((request, response) -> response.getWriter()
                                .print("target " + request.isUserInRole("robot") + " " + request.getRemoteUser() + " "
                                        + RunAs.role())),
                        "/target");
        try (Deployed app = deploy(application)) {
            assertEquals("target true null robot", app.body("/app/caller?forward"));
            assertEquals("own false robot, target true null robot, own false", app.body("/app/caller?include"));
            assertEquals("async robot", app.body("/app/caller?start"));
            assertEquals("target true null null", app.body("/app/caller?dispatch"));
            assertEquals("target false null null", app.body("/app/target"));
            assertEquals("robot", caller.atInit);
        }
    }

    @Test
    void runsTheListenersOfAServletInItsRole() throws Exception {
        WebApplicationBuilder application = WebApplication.builder("/app")
                .servlet(
                        "reader",
                        Serving.with((request, response) -> {
                            AsyncContext cycle = request.startAsync();
                            request.getInputStream().setReadListener(new RoleTeller(cycle));
                        }),
                        registration -> {
                            registration.addMapping("/reader");
                            registration.setAsyncSupported(true);
                            registration.setRunAsRole("robot");
                        });
        try (Deployed app = deploy(application)) {
            assertEquals(
                    "available robot, all robot",
                    app.post("/app/reader", "text/plain", "x").body());
        }
    }

    private record RoleTeller(AsyncContext cycle) implements ReadListener {

        @Override
        public void onDataAvailable() throws IOException {
            ServletInputStream in = cycle.getRequest().getInputStream();
            boolean told = false;
            while (in.isReady() && in.read() >= 0) {
                told = true;
            }
            if (told) {
                cycle.getResponse().getWriter().print("available " + RunAs.role() + ", ");
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            cycle.getResponse().getWriter().print("all " + RunAs.role());
            cycle.complete();
        }

        @Override
        public void onError(Throwable failure) {
            cycle.complete();
        }
    }

    private static ServletRegistration.Dynamic added(ServletRegistration.@Nullable Dynamic registration) {
        return Objects.requireNonNull(registration);
    }

    private static HttpResponse<String> asAnn(Deployed app, String path) throws Exception {
        return app.send(app.request(path).header("Authorization", ANN));
    }

    private static String field(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static WebApplicationBuilder basic() {
        return WebApplication.builder("/app").model(model -> {
            model.loginConfig = new LoginConfigModel("BASIC", null, null, null);
            model.securityConstraints.add(constraint("/in/*", List.of("admin")));
        });
    }

    private Deployed deploy(WebApplicationBuilder application) throws IOException {
        return deploy(application.build());
    }

    private Deployed deploy(WebApplication application) throws IOException {
        return Deployed.on(
                carrier,
                application.identities((name, password) ->
                        name.equals("ann") && password.equals("right") ? new Identity(name, Set.of("admin")) : null));
    }

    private static SecurityConstraintModel constraint(String pattern, List<String> roles) {
        return new SecurityConstraintModel(
                List.of(new Resources(List.of(pattern), List.of(), List.of())), roles, false);
    }

    /** GET is for administrators. */
    @ServletSecurity(
            value = @HttpConstraint,
            httpMethodConstraints = @HttpMethodConstraint(value = "GET", rolesAllowed = "admin"))
    public static final class Annotated extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            assertFalse(response.isCommitted());
        }
    }

    private static final class RunAsServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private transient String atInit = "";

        @Override
        public void init(ServletConfig config) {
            atInit = String.valueOf(RunAs.role());
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            switch (String.valueOf(request.getQueryString())) {
                case "forward" -> request.getRequestDispatcher("/target").forward(request, response);
                case "include" -> {
                    response.getWriter().print("own " + request.isUserInRole("robot") + " " + RunAs.role() + ", ");
                    request.getRequestDispatcher("/target").include(request, response);
                    response.getWriter().print(", own " + request.isUserInRole("robot"));
                }
                case "start" -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            response.getWriter().print("async " + RunAs.role());
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        async.complete();
                    });
                }
                default -> request.startAsync().dispatch("/target");
            }
        }
    }
}
