package io.millrace.standalone.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A logging.properties that is read again … */
final class LoggingLevelsTest {

    private static final Logger ONE = Logger.getLogger("millrace.test.levels.one");
    private static final Logger TWO = Logger.getLogger("millrace.test.levels.two");

    @TempDir
    private Path directory = Path.of("");

    private Path write(String... lines) throws IOException {
        return Files.write(directory.resolve("logging.properties"), List.of(lines));
    }

    private static @Nullable Level level(Logger logger) {
        return logger.getLevel();
    }

    @Test
    void setsTheLevelsThatHaveChangedAndNamesWhatNeedsARestart() throws IOException {
        Path file = write("handlers=1file.Handler", "1file.Handler.level=FINE", "millrace.test.levels.two.level=FINE");
        LoggingLevels levels = LoggingLevels.of(file);
        TWO.setLevel(Level.FINE);
        write("handlers=1file.Handler", "1file.Handler.level=INFO", "millrace.test.levels.one.level=WARNING");
        assertEquals(
                List.of(file + ": 2 levels changed; a restart is needed for 1file.Handler.level"), levels.reload());
        assertEquals(Level.WARNING, level(ONE));
        assertNull(level(TWO));
        assertEquals(
                List.of(file + ": 0 levels changed; a restart is needed for 1file.Handler.level"), levels.reload());
        write("handlers=1file.Handler", "1file.Handler.level=FINE", "millrace.test.levels.one.level=LOUD");
        assertEquals(
                List.of(
                        file
                                + ": millrace.test.levels.one.level=LOUD: expected SEVERE, WARNING, INFO, CONFIG, FINE, FINER,"
                                + " FINEST, ALL or OFF; it stays as it was",
                        file + ": 0 levels changed"),
                levels.reload());
        assertEquals(Level.WARNING, level(ONE));
    }

    @Test
    void staysAsItWasIfTheFileIsGone() throws IOException {
        Path file = write("millrace.test.levels.one.level=WARNING");
        LoggingLevels levels = LoggingLevels.of(file);
        Files.delete(file);
        assertEquals(List.of(file + ": it is gone; the levels stay as they were"), levels.reload());
    }
}
