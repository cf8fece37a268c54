package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several versions of an application at one context path. */
@OnDefaultCarriers
class VersionsTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Carrier carrier;

    VersionsTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private static WebApplication shop(String version) {
        return WebApplication.builder("/shop")
                .servlet(
                        "s",
                        Serving.with((request, response) -> {
                            if ("begin".equals(request.getQueryString())) {
                                request.getSession();
                            }
                            response.getWriter().print(version);
                        }),
                        "/s")
                .build()
                .version(version);
    }

    @Test
    void giveNewVisitorsTheLastAndLeaveOthersWhereTheirSessionIs() throws Exception {
        WebApplication first = shop("1");
        try (Server server = carrier.server().application(first).start()) {
            HttpResponse<String> visit = get(server, "/shop/s?begin", "x=y");
            assertEquals("1", visit.body());
            String session =
                    visit.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
            server.deploy(shop("2"));

            assertEquals("2", get(server, "/shop/s", "x=y").body());
            assertEquals("1", get(server, "/shop/s", session).body());
            assertEquals("2", get(server, "/shop/s", "JSESSIONID=unknown").body());
            assertEquals(
                    "1",
                    get(server, "/shop/s;" + session.replace("JSESSIONID", "jsessionid"), "x=y")
                            .body());

            server.undeploy(first, Duration.ofSeconds(10));
            assertEquals("2", get(server, "/shop/s", session).body());
        }
    }

    @Test
    void answerByTheOneBeforeWhileTheLastDoesNotRun() throws Exception {
        try (Server server = carrier.server().application(shop("1")).start()) {
            WebApplication broken = WebApplication.builder("/shop")
                    .build()
                    .version("2")
                    .configure(context -> {
                        throw new IllegalStateException("no stock");
                    });
            assertThrows(IllegalStateException.class, () -> server.deploy(broken));
            assertEquals("1", get(server, "/shop/s", "x=y").body());
        }
    }

    @Test
    void areEachThereOnce() throws Exception {
        try (Server server = carrier.server().application(shop("1")).start()) {
            assertThrows(IllegalArgumentException.class, () -> server.deploy(shop("1")));
        }
    }

    private static HttpResponse<String> get(Server server, String path, String cookie)
            throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .header("Cookie", cookie)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
