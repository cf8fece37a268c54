package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The path router … */
class PathRouterTest {

    private static NonBlockingHandler named(String name) {
        return exchange -> Responses.text(exchange, 200, name + ":" + PathRouter.below(exchange));
    }

    private final PathRouter router = PathRouter.builder()
            .exact("/", named("home"))
            .exact("/shop/special", named("special"))
            .prefix("/shop", named("shop"))
            .prefix("/shop/admin/", named("admin"))
            .exact("GET", "/orders", named("list"))
            .exact("POST", "/orders", named("create"))
            .otherwise(named("rest"))
            .build();

    @ParameterizedTest
    @CsvSource({
        "/, home:/",
        "/shop, shop:",
        "/shop/, shop:/",
        "/shop/cart/1, shop:/cart/1",
        "/shop/special, special:/shop/special",
        "/shop/special/, shop:/special/",
        "/shop/admin, admin:",
        "/shop/admin/users, admin:/users",
        "/shop/administrator, shop:/administrator",
        "/shopping, rest:/shopping",
        "/orders/1, rest:/orders/1",
    })
    void takesTheExactPathOrTheLongestPrefix(String path, String expected) {
        assertEquals(expected, Asked.get(path).of(router).body());
    }

    @ParameterizedTest
    @CsvSource({
        "/admin/users, guard:/users",
        "/admin, guard:",
        "/admin/a/b, guard:/a/b",
        "/blog/first, page:/blog/first",
        "/orders/7, order:/orders/7",
        "/orders/7/items, orders:/7/items",
        "/orders/special/9, special:/9",
        "/files, files:/files",
        "/files/a/b, files:/files/a/b",
        "/files/secret/b, secret:/b",
        "/a/b/c, root:/a/b/c",
    })
    void takesTheRouteWithTheLongestPlainBeginning(String path, String expected) {
        PathRouter mixed = PathRouter.builder()
                .prefix("/admin", named("guard"))
                .template("/{section}/{page}", named("page"))
                .template("/orders/{id}", named("order"))
                .prefix("/orders", named("orders"))
                .prefix("/orders/special", named("special"))
                .template("/files/*", named("files"))
                .prefix("/files", named("never"))
                .prefix("/files/secret", named("secret"))
                .prefix("/", named("root"))
                .build();
        assertEquals(expected, Asked.get(path).of(mixed).body());
    }

    @Test
    void choosesByMethodAndLetsGetAnswerHead() {
        assertEquals("create:/orders", Asked.with("POST", "/orders").of(router).body());
        assertEquals("list:/orders", Asked.with("HEAD", "/orders").of(router).body());
    }

    @Test
    void refusesOtherMethodsNamingThoseThereAre() {
        MemoryStream answer = Asked.with("DELETE", "/orders").of(router);
        assertEquals(405, answer.status());
        assertEquals("GET, HEAD, POST, OPTIONS", answer.header("Allow"));
    }

    @Test
    void answersOptionsItself() {
        MemoryStream answer = Asked.with("OPTIONS", "/orders").of(router);
        assertEquals(204, answer.status());
        assertEquals("GET, HEAD, POST, OPTIONS", answer.header("Allow"));
    }

    @Test
    void nests() {
        PathRouter outer = PathRouter.builder().prefix("/site", router).build();
        assertEquals("shop:/cart", Asked.get("/site/shop/cart").of(outer).body());
        assertEquals(404, Asked.get("/other").of(outer).status());
    }

    @Test
    void passesPlainHandlersOn() {
        HttpHandler plain = exchange -> Responses.text(exchange, 200, "plain");
        assertEquals(
                "plain",
                Asked.get("/p")
                        .of(PathRouter.builder().prefix("/p", plain).build())
                        .body());
    }

    @Test
    void complainsAboutTwoHandlersForOnePath() {
        var builder = PathRouter.builder().exact("GET", "/a", named("1"));
        var failure = assertThrows(IllegalArgumentException.class, () -> builder.exact("GET", "/a", named("2")));
        assertEquals("There are two handlers for GET \"/a\"", failure.getMessage());
        assertThrows(IllegalArgumentException.class, () -> builder.exact("a", named("3")));
    }

    @Test
    void passesALongPathQuickly() {
        String deep = "/a".repeat(50_000);
        assertEquals("rest:" + deep, Asked.get(deep).of(router).body());
    }
}
