package io.millrace.samples;

import static io.millrace.servlet.settings.ContextOptions.SAME_SITE_COOKIES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.junit.LogLines;
import io.millrace.junit.MillraceExtension;
import io.millrace.junit.MillraceTest;
import io.millrace.servlet.settings.SameSite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests with a server. */
final class Testing {

    private Testing() {}

    // tag::testing-annotation
    /** The handler under test. */
    static final class Orders implements HttpHandler {

        @Override
        public void handle(HttpExchange exchange) {
            Responses.text(exchange, 200, "3 orders\n");
        }
    }

    @MillraceTest(handler = Orders.class) // or war = "target/shop.war", or webapp = "src/main/webapp"
    static final class OrdersTest {

        @Test
        void listsThem(URI base, HttpClient client) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(base.resolve("orders")).build();
            assertEquals(
                    "3 orders\n", client.send(request, BodyHandlers.ofString()).body());
        }
    }
    // end::testing-annotation

    // tag::testing-extension
    static final class ShopTest {

        @RegisterExtension
        static final MillraceExtension SHOP = MillraceExtension.servlets(
                        "/shop", app -> app.servlet("greeting", new Servlets.Greeting(), "/hello"))
                .server(server -> server.health("/up")); // any setting of ServerBuilder

        @Test
        void greetsAlsoAfterARestart(URI base, HttpClient client, Server server, LogLines log, Path work)
                throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(base.resolve("hello?name=you")).build();
            SHOP.restart(); // on the same port, with the sessions
            SHOP.advance(Duration.ofMinutes(29)); // the clock of sessions and asynchronous requests
            assertEquals(
                    "Hello, you",
                    client.send(request, BodyHandlers.ofString()).body().trim());
            SHOP.awaitIdle(); // no request is in progress
            assertTrue(log.await("MILLRACE0001").contains(":" + server.port()) && work.isAbsolute());
        }
    }
    // end::testing-extension

    static MillraceExtension war() {
        // tag::testing-war
        MillraceExtension shop = MillraceExtension.war(Path.of("target/shop.war"), "/shop")
                .application(app -> app.with(SAME_SITE_COOKIES, SameSite.LAX)) // any setting of WebApplication
                .leakCheck(false); // leaves requests open on purpose
        // end::testing-war
        return shop;
    }
}
