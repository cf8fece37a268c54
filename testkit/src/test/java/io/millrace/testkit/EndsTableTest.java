package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of ends … */
class EndsTableTest {

    @Test
    void hasARowForEachEndInEachState() throws IOException {
        List<String> expected = new ArrayList<>();
        for (String state : EndsTable.STATES) {
            for (String end : EndsTable.ENDS) {
                expected.add(state + ": " + end);
            }
        }
        assertEquals(
                expected,
                EndsTable.rows().stream()
                        .map(row -> row.state() + ": " + row.end())
                        .toList());
    }

    @Test
    void namesTestsThatExist() throws IOException {
        Set<String> missing = new TreeSet<>();
        Matcher named = Pattern.compile("`(\\w+)\\.(\\w+)`(?= \\||,)").matcher(EndsTable.page());
        while (named.find()) {
            missing.add(named.group());
            try (Stream<Path> files = Files.walk(Path.of("src"))) {
                for (Path file : files.filter(each -> each.endsWith(named.group(1) + ".java"))
                        .toList()) {
                    if (Files.readString(file).contains(" " + named.group(2) + "(")) {
                        missing.remove(named.group());
                    }
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void saysWhatFollows() throws IOException {
        for (EndsTable.Row row : EndsTable.rows()) {
            for (String cell : row.cells()) {
                assertTrue(
                        cell.equals("-") == (row.isOfTls() && row.cells().indexOf(cell) > 0)
                                && cell.matches("-|(told, |answered, |broken, |refused, )*(closed|freed)(; bio: .*)?"),
                        row::toString);
            }
        }
    }
}
