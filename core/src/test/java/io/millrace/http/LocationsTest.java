package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocationsTest {

    @ParameterizedTest
    @CsvSource({
        "page,          http://h:8080/ctx/dir/page",
        "./page,        http://h:8080/ctx/dir/page",
        "../page?a=/./, http://h:8080/ctx/page?a=/./",
        "../../../../x, http://h:8080/x",
        "/,             http://h:8080/",
        "/other/..,     http://h:8080/",
        "?q=1,          http://h:8080/ctx/dir/self?q=1",
        "//cdn/x,       http://cdn/x",
        "'',            http://h:8080/ctx/dir/self",
    })
    void resolvesRelativeLocations(String location, String expected) {
        assertEquals(expected, Locations.resolve("http://h:8080/ctx/dir/self", location));
    }

    @Test
    void knowsASchemeFromAPath() {
        assertTrue(Locations.hasScheme("https://host/"));
        assertTrue(Locations.hasScheme("mailto:somebody"));
        assertFalse(Locations.hasScheme("/a:b"));
        assertFalse(Locations.hasScheme("page?x=http://y"));
        assertFalse(Locations.hasScheme(":x"));
    }
}
