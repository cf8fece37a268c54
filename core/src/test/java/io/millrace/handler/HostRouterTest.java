package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.fuzz.Growth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host router … */
class HostRouterTest {

    private static NonBlockingHandler named(String name) {
        return exchange -> Responses.text(exchange, 200, name);
    }

    private final HostRouter router = HostRouter.builder()
            .host(named("shop"), "shop.example.org", "Shop.Example.COM", "[::1]")
            .host(named("wild"), "*.example.org")
            .host(named("deep"), "*.deep.example.org")
            .otherwise(named("default"))
            .build();

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "shop.example.org, shop",
                "SHOP.example.org:8080, shop",
                "shop.example.org., shop",
                "shop.example.com, shop",
                "[::1]:80, shop",
                "[::1], shop",
                "[::2]:80, default",
                "other.example.org, wild",
                "a.b.example.org, default",
                "a.deep.example.org, deep",
                "a.b.deep.example.org, default",
                "deep.example.org, wild",
                "example.org, default",
                "badexample.org, default",
                "'', default",
                "., default",
                "-, default",
            })
    void choosesByName(String authority, String expected) {
        assertEquals(expected, Asked.get("/").host(authority).of(router).body());
    }

    @Test
    void answers404WithoutADefault() {
        HostRouter strict = HostRouter.builder().host(named("a"), "a").build();
        assertEquals(404, Asked.get("/").host("b").of(strict).status());
    }

    @Test
    void complainsAboutTwoHostsOfOneName() {
        var builder = HostRouter.builder().host(named("a"), "a");
        assertThrows(IllegalArgumentException.class, () -> builder.host(named("b"), "b", "A"));
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "a.", ":", "example.org."})
    void matchesALongNameInLinearTime(String piece) {
        Growth.assertLinear(40_000 / piece.length(), piece::repeat, router::find);
    }
}
