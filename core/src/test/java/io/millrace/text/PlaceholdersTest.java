package io.millrace.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A placeholder … */
final class PlaceholdersTest {

    private static final Map<String, String> KNOWN =
            Map.of("port", "8081", "a.b", "dotted", "empty", "", "url", "http://x:${port}/", "endless", "${endless}");

    @ParameterizedTest
    @CsvSource({
        "plain,plain",
        "${port},8081",
        "${port:-1},8081",
        "${other:-1},1",
        "${other:-},''",
        "${empty:-1},''",
        "x${port}y${a.b}z,x8081ydottedz",
        "${port,${port",
        "$port,$port",
        "${a:b:-c},c",
        "${url},http://x:8081/",
        "${other:-${port}},8081",
        "${port:-${other}},8081",
        "${other:-${another:-${port:-1}}/x},8081/x",
        "${other:-${another:-c}}${port},c8081",
        "${other:-{a}},{a}",
        "${other:-${port},${port",
        "${other:-a}},a}",
        "${endless},${endless}",
    })
    void isReplaced(String text, String expected) {
        assertEquals(expected, new Placeholders(KNOWN::get).replace(text, unknown -> {}));
    }

    @ParameterizedTest
    @CsvSource({"${other},other", "x${}y,''", "${nowhere${port}},nowhere${port}"})
    void staysAndIsReportedIfNobodyKnowsIt(String text, String name) {
        List<String> unknown = new ArrayList<>();
        assertEquals(text, new Placeholders(KNOWN::get).replace(text, unknown::add));
        assertEquals(List.of(name), unknown);
    }

    @Test
    void isReportedInADefault() {
        List<String> unknown = new ArrayList<>();
        assertEquals("x${another}", new Placeholders(KNOWN::get).replace("${other:-x${another}}", unknown::add));
        assertEquals(List.of("another"), unknown);
    }
}
