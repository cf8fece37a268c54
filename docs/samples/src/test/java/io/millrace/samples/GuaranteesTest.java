package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of guarantees … */
class GuaranteesTest {

    private static final Path PAGE = Guide.PROJECT.resolve("docs/guarantees.md");

    /** A class, a method, or both. */
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)?(?:\\.?([a-z]\\w*))?`");

    private final List<String> lines = Guide.read(PAGE).lines().toList();

    @Test
    void hasFifteenPromisesThatLinkToTheirTables() {
        long tables = lines.stream().filter(line -> line.startsWith("## ")).count();
        long promises =
                lines.stream().filter(line -> line.matches("\\d+\\. .*")).count();
        assertEquals(15, promises);
        assertEquals(promises, tables);
    }

    @Test
    @NeedsConnector({"ajp", "bio", "http2", "nio", "openssl", "spdy"}) // some of the tests are their own
    void namesTestsThatExist() {
        Map<String, String> sources = new HashMap<>();
        for (Path file : Guide.files(Guide.PROJECT, ".java")) {
            if (!file.toString().contains("/target/")) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.merge(name, Guide.read(file), String::concat);
            }
        }
        Set<String> unknown = new TreeSet<>();
        int named = 0;
        for (String line : lines) {
            String test = line.startsWith("| ") ? line.substring(line.lastIndexOf(" | ")) : "";
            String type = "";
            for (MatchResult name : NAME.matcher(test).results().toList()) {
                type = name.group(1) == null ? type : name.group(1);
                String source = sources.getOrDefault(type, "");
                named++;
                if (name.group(2) == null ? source.isEmpty() : !source.contains("void " + name.group(2) + "(")) {
                    unknown.add(type + ": " + name.group());
                }
            }
        }
        assertTrue(named > 200, named + " tests");
        assertEquals(Set.of(), unknown);
    }
}
