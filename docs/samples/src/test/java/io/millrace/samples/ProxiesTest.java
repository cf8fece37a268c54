package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.proxy.ProxyApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The samples of the proxy … */
@Timeout(60)
class ProxiesTest {

    private static Server backend(String name) throws IOException {
        NonBlockingHandler handler = exchange ->
                Responses.text(exchange, 200, name + exchange.request().path().decoded());
        return Server.builder().port(0).handler(handler).start();
    }

    private static String uri(Server server) {
        return "http://127.0.0.1:" + server.port();
    }

    @Test
    void passOnToOneBackend() throws Exception {
        try (Server backend = backend("one");
                Server proxy = Proxies.one(uri(backend))) {
            HttpResponse<String> answer = new Client(proxy).get("/any");
            assertEquals(200, answer.statusCode());
            assertEquals("one/any", answer.body());
        }
    }

    @Test
    void keepSessionsWithTheirBackend() throws Exception {
        try (Server one = backend("one");
                Server two = backend("two");
                Server three = backend("three");
                Server proxy = Proxies.sticky(uri(one), uri(two), uri(three))) {
            HttpClient client = HttpClient.newHttpClient();
            for (String[] each : new String[][] {{"node1", "one"}, {"node2", "two"}, {"node3", "three"}}) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(uri(proxy) + "/shop/cart"))
                        .header("Cookie", "JSESSIONID=abc." + each[0])
                        .build();
                assertEquals(
                        each[1] + "/shop/cart",
                        client.send(request, HttpResponse.BodyHandlers.ofString())
                                .body());
            }
            assertEquals(404, new Client(proxy).get("/other").statusCode());
        }
    }

    @Test
    void drainABackend() throws Exception {
        try (Server one = backend("one");
                Server two = backend("two")) {
            ProxyApplication proxy = ProxyApplication.to(uri(one), uri(two));
            try (Server server = Server.builder().port(0).application(proxy).start()) {
                assertTrue(Proxies.drain(proxy, uri(one)));
                for (int i = 0; i < 5; i++) {
                    assertEquals("two/a", new Client(server).get("/a").body());
                }
            }
        }
    }
}
