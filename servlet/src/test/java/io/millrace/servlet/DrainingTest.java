package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PresetAttributes;
import io.millrace.servlet.settings.DrainingRule;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client that the balancer sends to a node that is being drained … */
@OnEachCarrier
class DrainingTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String GONE = "JSESSIONID=ended.one";
    private static final DrainingRule RULE = new DrainingRule(307, "stay", "yes");

    private final Carrier carrier;

    DrainingTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** The field X-Activation stands for what a balancer says over AJP. */
    private static WebApplication shop(DrainingRule... rules) {
        WebApplication application = WebApplication.builder("/shop")
                .servlet(
                        "s",
                        Serving.with((request, response) -> {
                            if ("begin".equals(request.getQueryString())) {
                                request.getSession();
                            }
                            response.getWriter().print("served");
                        }),
                        "/s/*")
                .build()
                .before(next -> {
                    NonBlockingHandler said = exchange -> {
                        String activation = exchange.request().headers().get("X-Activation");
                        if (activation != null) {
                            exchange.attributes()
                                    .put(
                                            PresetAttributes.KEY,
                                            new PresetAttributes(Map.of(DrainingRule.ATTRIBUTE, activation)));
                        }
                        exchange.dispatch(next);
                    };
                    return said;
                });
        for (DrainingRule rule : rules) {
            application.draining(rule);
        }
        return application;
    }

    private static HttpResponse<String> get(Deployed server, String path, String activation, String cookies)
            throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                        .header("X-Activation", activation)
                        .header("Cookie", cookies)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse("none");
    }

    @Test
    void goesElsewhereWithoutTheSessionThatHasEnded() throws Exception {
        try (Deployed server = Deployed.on(carrier, shop(RULE))) {
            HttpResponse<String> away = get(server, "/shop/s/a%20b?x=1&y", "DIS", GONE);
            assertEquals(307, away.statusCode());
            assertEquals("", away.body());
            assertEquals("/shop/s/a%20b?x=1&y", location(away));
            assertEquals(
                    List.of("JSESSIONID=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/shop; HttpOnly"),
                    away.headers().allValues("Set-Cookie"));

            HttpResponse<String> byUrl = get(server, "/shop/s;jsessionid=ended.one/a;b=c?x", "DIS", "x=y");
            assertEquals(307, byUrl.statusCode());
            assertEquals("/shop/s/a;b=c?x", location(byUrl));
            assertEquals(List.of(), byUrl.headers().allValues("Set-Cookie"));
        }
    }

    @Test
    void staysWithASessionThatLives() throws Exception {
        try (Deployed server = Deployed.on(carrier, shop(RULE))) {
            HttpResponse<String> begun = get(server, "/shop/s?begin", "ACT", "x=y");
            String session =
                    begun.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
            assertEquals("served", get(server, "/shop/s", "DIS", session).body());
            assertEquals(
                    "served",
                    get(server, "/shop/s;" + session.replace("JSESSIONID", "jsessionid"), "DIS", "x=y")
                            .body());
        }
    }

    @Test
    void staysWhereNothingWouldChangeByGoing() throws Exception {
        try (Deployed server = Deployed.on(carrier, shop(RULE))) {
            assertEquals(
                    "served", get(server, "/shop/s", "DIS", "x=y").body(), "no id at all: for ever round and round");
            for (String other : List.of("ACT", "STP", "dis")) {
                assertEquals("served", get(server, "/shop/s", other, GONE).body(), other);
            }
        }
        try (Deployed server = Deployed.on(carrier, shop())) {
            assertEquals("served", get(server, "/shop/s", "DIS", GONE).body(), "no rule");
        }
    }

    @Test
    void staysWithTheCookieOfThoseWhoTestTheNode() throws Exception {
        try (Deployed server = Deployed.on(carrier, shop(RULE))) {
            assertEquals(
                    "served", get(server, "/shop/s", "DIS", GONE + "; stay=yes").body());
            assertEquals(307, get(server, "/shop/s", "DIS", GONE + "; stay=no").statusCode());
        }
        try (Deployed server = Deployed.on(carrier, shop(new DrainingRule(302, "stay", null), RULE))) {
            assertEquals(307, get(server, "/shop/s", "DIS", GONE + "; stay=no").statusCode(), "the second rule");
            assertEquals(302, get(server, "/shop/s", "DIS", GONE).statusCode());
        }
    }

    @Test
    void isLedToNoOtherHost() throws Exception {
        try (Deployed server = Deployed.on(carrier, shop(RULE))) {
            HttpResponse<String> away = get(server, "//shop;jsessionid=a.b/s", "DIS", GONE);
            assertEquals(false, location(away).startsWith("//"), location(away));
        }
    }

    @Test
    void isRedirectedByAStatusOfRedirects() {
        for (int status : new int[] {200, 299, 400}) {
            assertThrows(IllegalArgumentException.class, () -> new DrainingRule(status, null, null));
        }
    }
}
