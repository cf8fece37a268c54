package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of a specification's sections … */
@ParameterizedClass
@ValueSource(
        strings = {"servlet-conformance.md", "websocket-conformance.md", "http2-conformance.md", "spdy-conformance.md"})
class ConformanceTest {

    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");

    /** Source files by the name of their class. */
    private static final Map<String, List<Path>> SOURCES = new HashMap<>();

    private final List<String[]> rows;

    ConformanceTest(String page) throws IOException {
        rows = Files.readAllLines(Guide.PROJECT.resolve("docs").resolve(page)).stream()
                .filter(line -> line.matches("\\| (?!section |---).*"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| ", -1))
                .toList();
    }

    @BeforeAll
    static void listSources() throws IOException {
        try (Stream<Path> files = Files.walk(Guide.PROJECT)) {
            files.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains("src"))
                    .forEach(file -> SOURCES.computeIfAbsent(
                                    file.getFileName().toString().replace(".java", ""), name -> new ArrayList<>())
                            .add(file));
        }
    }

    private Set<String> named(int column) {
        return rows.stream()
                .flatMap(row -> NAME.matcher(row[column]).results())
                .map(found -> found.group(2) == null ? found.group(1) : found.group(1) + "." + found.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void hasFourFilledColumnsInEachRow() {
        assertTrue(rows.size() > 20);
        for (String[] row : rows) {
            assertEquals(4, row.length, () -> String.join(" | ", row));
            assertTrue(Stream.of(row).noneMatch(String::isBlank), () -> String.join(" | ", row));
        }
    }

    @Test
    void namesClassesThatExist() {
        Set<String> unknown = named(2);
        unknown.removeIf(name -> SOURCES.containsKey(name.replaceFirst("\\..*", "")));
        assertEquals(Set.of(), unknown);
    }

    @Test
    @NeedsConnector({"ajp", "http2", "spdy"}) // some of them are their tests
    void namesTestsThatExist() throws IOException {
        Set<String> unknown = new TreeSet<>();
        for (String name : named(3)) {
            String[] parts = name.split("\\.", 2);
            boolean found = false;
            for (Path source : SOURCES.getOrDefault(parts[0], List.of())) {
                found |= parts.length == 1 || Files.readString(source).contains("void " + parts[1] + "(");
            }
            if (!found) {
                unknown.add(name);
            }
        }
        assertEquals(Set.of(), unknown);
    }
}
