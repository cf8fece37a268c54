package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.HttpExchange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A path template … */
class PathTemplateTest {

    @ParameterizedTest
    @CsvSource({
        "/orders/{id}, /orders/7, {id=7}",
        "/orders/{id}, /orders/, ",
        "/orders/{id}, /orders, ",
        "/orders/{id}, /orders/7/, ",
        "/orders/{id}, /orders/7/items, ",
        "/orders/{id}, /order/7, ",
        "/orders/{id}/items/{item}, /orders/7/items/ä b, '{id=7, item=ä b}'",
        "/files/*, /files, {}",
        "/files/*, /files/a/b, {}",
        "/files/*, /filesystem, ",
        "/{any}/*, /x/y/z, {any=x}",
        "/, /, {}",
        "/plain, /plain, {}",
    })
    void matchesWholeSegments(String template, String path, @Nullable String expected) {
        assertEquals(expected, text(PathTemplate.parse(template).match(path)));
    }

    private static @Nullable String text(@Nullable Object map) {
        return map == null ? null : map.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "/{", "/a{b}", "/{a}{b}", "/{}", "/{1}", "/{a}/{a}", "/*/a", "/}"})
    void refusesWhatIsMalformed(String text) {
        assertThrows(IllegalArgumentException.class, () -> PathTemplate.parse(text));
    }

    @Test
    void isChosenByTheRouterAfterExactPathsAndBeforePrefixes() {
        PathRouter router = PathRouter.builder()
                .exact("/orders/new", exchange -> Responses.text(exchange, 200, "new"))
                .template("GET", "/orders/{id}", exchange -> Responses.text(exchange, 200, values(exchange)))
                .template("/orders/{id}/{item}", exchange -> Responses.text(exchange, 200, values(exchange)))
                .template("/orders/{id}/items", exchange -> Responses.text(exchange, 200, "items"))
                .prefix("/orders", exchange -> Responses.text(exchange, 200, "prefix"))
                .build();
        assertEquals("new", Asked.get("/orders/new").of(router).body());
        assertEquals("{id=7}", Asked.get("/orders/7").of(router).body());
        assertEquals("items", Asked.get("/orders/7/items").of(router).body());
        assertEquals("{id=7, item=8}", Asked.get("/orders/7/8").of(router).body());
        assertEquals("prefix", Asked.get("/orders/7/8/9").of(router).body());
        assertEquals(405, Asked.with("PUT", "/orders/7").of(router).status());
    }

    private static String values(HttpExchange exchange) {
        return PathTemplate.parameters(exchange).toString();
    }

    @Test
    void hasOneSetOfNamesForOnePath() {
        PathRouter.Builder builder = PathRouter.builder().template("GET", "/{a}", Responses.NOT_FOUND);
        assertThrows(IllegalArgumentException.class, () -> builder.template("PUT", "/{b}", Responses.NOT_FOUND));
    }
}
