package io.millrace.standalone.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handler.DroppedLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log file of logging.properties … */
final class LogFileHandlerTest {

    @TempDir
    private Path directory = Path.of("");

    private final StringWriter stderr = new StringWriter();

    @BeforeEach
    void catchStderr() {
        StderrLog.to(new PrintWriter(stderr, true));
    }

    @AfterEach
    void restoreStderr() {
        StderrLog.to(null);
    }

    private Map<String, String> properties(String... more) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "directory",
                directory.toString(),
                "prefix",
                "shop.",
                "rotatable",
                "false",
                "formatter",
                JsonFormatter.class.getName()));
        for (String each : more) {
            int equals = each.indexOf('=');
            properties.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return properties;
    }

    private static void log(LogFileHandler handler, String message) {
        handler.publish(new LogRecord(Level.INFO, message));
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(directory.resolve(name));
    }

    @Test
    void hasAllItsLinesWhenItIsClosedIfAnotherThreadWritesThem() throws IOException {
        LogFileHandler handler = new LogFileHandler.Async(properties()::get);
        for (int i = 0; i < 500; i++) {
            log(handler, "message " + i);
        }
        handler.close();
        assertEquals(500, lines("shop.log").size());
        assertTrue(lines("shop.log").get(499).contains("\"msg\":\"message 499\""));
    }

    @Test
    void isRotatedBySize() throws IOException {
        LogFileHandler handler = new LogFileHandler(properties("limit=230", "count=1")::get);
        for (int i = 0; i < 9; i++) {
            log(handler, "message " + i);
        }
        handler.close();
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(2, files.count());
        }
        assertTrue(Files.exists(directory.resolve("shop.4.log")));
        assertTrue(lines("shop.log").get(0).contains("message 8"));
    }

    @Test
    void losesLinesWhileTheDiskIsFullAndTellsHowManyAfterwards() throws IOException {
        Path log = directory.resolve("shop.log");
        Files.createSymbolicLink(log, Path.of("/dev/full"));
        long before = DroppedLines.count();
        LogFileHandler handler = new LogFileHandler(properties("limit=100000")::get);
        log(handler, "one");
        log(handler, "two");
        assertTrue(DroppedLines.count() - before >= 2);
        assertEquals(1, stderr.toString().split("MILLRACE0620", -1).length - 1, stderr.toString());
        handler.close();
        Files.delete(log);

        LogFileHandler again = new LogFileHandler(properties()::get);
        again.dropped();
        log(again, "three");
        again.close();
        assertTrue(lines("shop.log").get(0).contains("\"id\":\"MILLRACE0621\""), () -> stderr.toString());
        assertTrue(lines("shop.log").get(0).contains("1 line of this log"), () -> stderr.toString());
        assertTrue(lines("shop.log").get(1).contains("three"), () -> stderr.toString());
    }

    @Test
    void isOpenedLaterIfItCannotBeOpenedAtFirst() throws IOException {
        Path taken = Files.writeString(directory.resolve("taken"), "");
        LogFileHandler handler = new LogFileHandler(properties("directory=" + taken)::get);
        log(handler, "lost");
        assertTrue(stderr.toString().contains("MILLRACE0620"), stderr.toString());
        handler.close();
    }
}
