package io.millrace.standalone.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of differences that are meant … */
class ExpectedTest {

    private static final Path LIST = Path.of("..", "checks", "differential.txt");
    private static final Path GUIDE = Path.of("..", "docs", "guide", "coming-from-tomcat.md");

    @TempDir
    private Path directory = Path.of("");

    private Expected read(String... lines) throws IOException {
        return Expected.read(Files.write(directory.resolve("list"), List.of(lines)));
    }

    private static Answer.Difference difference(String request, String theirs) {
        return new Answer.Difference(request, "status", theirs, "404");
    }

    @Test
    void isWhatTheGuideTells() throws IOException {
        List<String> rows = Files.readAllLines(GUIDE).stream()
                .dropWhile(line -> !line.equals("## What applications notice"))
                .dropWhile(line -> !line.startsWith("| --- "))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        List<String> subjects = Expected.read(LIST).subjects().stream()
                .map(Expected.Subject::row)
                .toList();
        assertEquals(String.join("\n", subjects), String.join("\n", rows));
    }

    @Test
    void knowsADifferenceByItsFourColumns() throws IOException {
        Expected expected = read("= a | b | c", "files/* | status | 200 | 404");
        assertTrue(expected.has(difference("files/GET /x", "200")));
        assertFalse(expected.has(difference("files/GET /x", "302")));
        assertFalse(expected.has(difference("pages/GET /x", "200")));
        assertEquals(List.of(), expected.unused());
    }

    @Test
    void namesRowsWithoutADifference() throws IOException {
        Expected expected = read("= a | b | c", "files/* | status | 200 | 404", "pages/* | * | * | *");
        assertTrue(expected.has(difference("files/GET /x", "200")));
        assertEquals(List.of("pages/* | * | * | *"), expected.unused());
    }

    @Test
    void refusesARowWithoutFourColumns() {
        assertThrows(IllegalArgumentException.class, () -> read("= a | b | c", "files/* | status | 200"));
    }
}
