package io.millrace.standalone.config.valve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's table of Tomcat's Valves … */
final class ValveGuideTest {

    private static final Path PAGE = Path.of("..", "docs", "guide", "coming-from-tomcat.md");

    /** The names, some of which are links, and where they are used. */
    private static final Pattern ROW =
            Pattern.compile("\\| Valve ([^|]+) \\| used in ((?:\\w+, )*(?:\\w+ and )?\\w+).*");

    private static final Map<Set<String>, String> PLACES = Map.of(
            Set.of("Engine", "Host", "Context"), "Engine, Host and Context",
            Set.of("Host", "Context"), "Host and Context",
            Set.of("Engine", "Host"), "Engine and Host",
            Set.of("Context"), "Context");

    @Test
    void hasEachKindOnceWithThePlacesWhereItWorks() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                for (String name :
                        row.group(1).replaceAll("\\[(\\w+)]\\([^)]*\\)", "$1").split(", ", -1)) {
                    assertEquals(null, rows.put(name, row.group(2)), name);
                }
            }
        }
        Map<String, String> kinds = new TreeMap<>();
        for (ValveKind kind : Valves.KINDS) {
            if (kind.toString().contains("org.apache.")) {
                kinds.put(kind.simpleName(), PLACES.get(kind.places()));
            }
        }
        assertEquals(kinds, rows);
    }
}
