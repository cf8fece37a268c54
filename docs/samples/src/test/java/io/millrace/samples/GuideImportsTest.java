package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each page lists the imports of its samples in a table of packages and classes. */
class GuideImportsTest {

    private static final Pattern IMPORT = Pattern.compile("^import (static )?([\\w.]+)\\.(\\w+);", Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("//.*");

    @Test
    void listTheImportsOfEachSampleOnItsPage() {
        Set<String> missing = new TreeSet<>();
        Guide.pages().forEach((name, page) -> {
            List<String> rows =
                    page.lines().filter(line -> line.startsWith("| `")).toList();
            for (String source : Guide.sources()) {
                List<String> samples = Guide.tagged(source);
                Guide.blocks(page, "java").stream()
                        .filter(samples::contains)
                        .forEach(block -> imports(source, block).stream()
                                .filter(each -> rows.stream().noneMatch(each::isIn))
                                .forEach(each -> missing.add(name + ": " + each)));
            }
        });
        assertEquals(Set.of(), missing);
    }

    private static List<Import> imports(String source, String block) {
        String code = COMMENT.matcher(block).replaceAll("");
        return IMPORT.matcher(source)
                .results()
                .map(found -> new Import(found.group(1) != null, found.group(2), found.group(3)))
                .filter(each -> each.isUsedIn(code))
                .toList();
    }

    /** One import: a class of a package, or a constant of a class. */
    private record Import(boolean isStatic, String of, String name) {

        boolean isUsedIn(String code) {
            return Pattern.compile("\\b" + name + "\\b").matcher(code).find();
        }

        boolean isIn(String row) {
            return isStatic
                    ? row.contains("`import static " + of + ".*`")
                    : row.contains("`" + of + "`") && row.contains("`" + name + "`");
        }
    }
}
