package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.filter.RemoteIpFilter;
import io.millrace.servlet.settings.ContextOptions;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;

/** Behind a front end, the application sees … */
final class RemoteIpFilterTest {

    private static Deployed deploy(String... parameters) throws Exception {
        return Deployed.of(application(parameters).build());
    }

    private static WebApplicationBuilder application(String... parameters) {
        return Filtered.application(
                new RemoteIpFilter(),
                (request, response) -> {
                    if (request.getPathInfo().equals("/redirect")) {
                        response.sendRedirect("next");
                        return;
                    }
                    response.getWriter()
                            .print(String.join(
                                    " ",
                                    request.getRemoteAddr(),
                                    request.getRemoteHost(),
                                    request.getRequestURL(),
                                    String.valueOf(request.isSecure()),
                                    String.valueOf(request.getHeader("X-Forwarded-For")),
                                    String.valueOf(request.getHeader("X-Forwarded-By")),
                                    String.valueOf(request.getAttribute("org.apache.tomcat.remoteAddr"))));
                },
                parameters);
    }

    private static HttpRequest.Builder relayed(Deployed app, String path, String list) {
        return app.request(path).header("X-Forwarded-For", list);
    }

    @Test
    void theClientAndItsUrl() throws Exception {
        try (Deployed app = deploy("hostHeader", "X-Forwarded-Host")) {
            assertEquals(
                    "192.0.2.7 192.0.2.7 https://shop.example/app/x true null null 192.0.2.7",
                    app.send(relayed(app, "/app/x", "192.0.2.7, 10.0.0.1")
                                    .header("X-Forwarded-Proto", "https")
                                    .header("X-Forwarded-Host", "shop.example"))
                            .body());
        }
    }

    @Test
    void redirectsLeadToWhatTheClientUses() throws Exception {
        WebApplication application = application("hostHeader", "X-Forwarded-Host", "httpsServerPort", "8443")
                .build();
        try (Deployed app = Deployed.of(application.with(ContextOptions.USE_RELATIVE_REDIRECTS, false))) {
            assertEquals(
                    "https://shop.example:8443/app/next",
                    app.send(relayed(app, "/app/redirect", "192.0.2.7")
                                    .header("X-Forwarded-Proto", "https")
                                    .header("X-Forwarded-Host", "shop.example"))
                            .headers()
                            .firstValue("Location")
                            .orElse(""));
        }
    }

    @Test
    void frontEndsThatAreTrustedAndOneThatIsNot() throws Exception {
        try (Deployed app = deploy("internalProxies", "127\\..*", "trustedProxies", "198\\.51\\.100\\.1")) {
            assertEquals(
                    "192.0.2.9 192.0.2.9 http://127.0.0.1:" + app.port()
                            + "/app/x false 192.0.2.7 198.51.100.1 192.0.2.9",
                    app.send(relayed(app, "/app/x", "192.0.2.7, 192.0.2.9, 198.51.100.1"))
                            .body());
        }
    }

    @Test
    void nothingThatSomebodyElseSays() throws Exception {
        try (Deployed app = deploy("internalProxies", "10\\..*")) {
            assertEquals(
                    "127.0.0.1 127.0.0.1 http://127.0.0.1:" + app.port() + "/app/x false 192.0.2.7 null null",
                    app.send(relayed(app, "/app/x", "192.0.2.7").header("X-Forwarded-Proto", "https"))
                            .body());
        }
    }

    @Test
    void attributesOnlyIfAsked() throws Exception {
        try (Deployed app = deploy("requestAttributesEnabled", "false")) {
            assertEquals(
                    "192.0.2.7 192.0.2.7 http://127.0.0.1:" + app.port() + "/app/x false null null null",
                    app.send(relayed(app, "/app/x", "192.0.2.7")).body());
        }
    }
}
