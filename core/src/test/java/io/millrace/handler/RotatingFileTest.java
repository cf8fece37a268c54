package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of the access log … */
class RotatingFileTest {

    @TempDir
    Path directory = Path.of("");

    private static void write(RotatingFile file, String line, Instant now) throws IOException {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        file.write(bytes, bytes.length, now.toEpochMilli());
    }

    private static LogFiles files(Path directory, String prefix, String suffix, String dates) {
        return LogFiles.of(directory, prefix, suffix, dates, false, -1, false);
    }

    private Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Set<String> names = new TreeSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }

    @Test
    void endsWithTheDay() throws IOException {
        Instant now = Instant.now();
        Instant tomorrow = now.plus(Duration.ofDays(1));
        LocalDate today = LocalDate.ofInstant(now, ZoneId.systemDefault());
        RotatingFile file = new RotatingFile(files(directory, "log", ".txt", ".yyyy-MM-dd"));
        write(file, "one\n", now);
        write(file, "two\n", tomorrow);
        write(file, "three\n", tomorrow.plusSeconds(2));
        file.close();
        String next = "log." + LocalDate.ofInstant(tomorrow, ZoneId.systemDefault()) + ".txt";
        assertEquals(Set.of("log." + today + ".txt", next), names());
        assertEquals("two\nthree\n", Files.readString(directory.resolve(next)));
    }

    @Test
    void makesItsDirectory() throws IOException {
        Path deep = directory.resolve("a/b");
        new RotatingFile(files(deep, "log", "", "")).close();
        assertEquals(0, Files.size(deep.resolve("log")));
    }

    @Test
    void complainsAtOnceIfItCannotBeOpened() throws IOException {
        Files.writeString(directory.resolve("taken"), "");
        Path notADirectory = directory.resolve("taken");
        assertThrows(IOException.class, () -> new RotatingFile(files(notADirectory, "log", "", "")));
    }

    @Test
    void isRenamedAtTheEndOfTheDayIfAskedTo() throws IOException {
        Instant now = Instant.now();
        LocalDate today = LocalDate.ofInstant(now, ZoneId.systemDefault());
        LogFiles files = LogFiles.of(directory, "log", ".txt", ".yyyy-MM-dd", true, -1, false);
        RotatingFile file = new RotatingFile(files);
        write(file, "one\n", now);
        assertEquals(Set.of("log.txt"), names());
        write(file, "two\n", now.plus(Duration.ofDays(1)));
        file.close();
        assertEquals(Set.of("log.txt", "log." + today + ".txt"), names());
        assertEquals("one\n", Files.readString(directory.resolve("log." + today + ".txt")));
        assertEquals("two\n", Files.readString(directory.resolve("log.txt")));
    }

    @Test
    void isPutAwayIfAnEarlierProcessLeftItOnAnotherDay() throws IOException {
        Instant before = Instant.now().minus(Duration.ofDays(3));
        String day = LocalDate.ofInstant(before, ZoneId.systemDefault()).toString();
        Files.writeString(directory.resolve("log.txt"), "late\n");
        Files.setLastModifiedTime(directory.resolve("log.txt"), FileTime.from(before));
        Files.writeString(directory.resolve("log." + day + ".txt"), "early\n");
        new RotatingFile(LogFiles.of(directory, "log", ".txt", ".yyyy-MM-dd", true, -1, false)).close();
        assertEquals("early\nlate\n", Files.readString(directory.resolve("log." + day + ".txt")));
        assertEquals(0, Files.size(directory.resolve("log.txt")));
    }

    @Test
    void isDeletedAfterSomeDays() throws IOException {
        Instant now = Instant.now();
        for (String name : Set.of("log.2020-01-01.txt", "log.2020-01-02.txt", "log.old.txt", "logs.2020-01-01.txt")) {
            Path file = Files.writeString(directory.resolve(name), "");
            Files.setLastModifiedTime(file, FileTime.from(now.minus(Duration.ofDays(4))));
        }
        Files.setLastModifiedTime(directory.resolve("log.2020-01-02.txt"), FileTime.from(now));
        RotatingFile file = new RotatingFile(LogFiles.of(directory, "log", ".txt", ".yyyy-MM-dd", false, 3, false));
        assertFalse(names().contains("log.2020-01-01.txt"));
        assertEquals(4, names().size(), () -> directory.toString());
        write(file, "later\n", now.plus(Duration.ofDays(4)));
        file.close();
        assertFalse(Files.exists(directory.resolve("log.2020-01-02.txt")));
    }

    @Test
    void isSetAsideWithANumberWhenItIsFullAndTheLatestAreKept() throws IOException {
        Instant now = Instant.now();
        String today = LocalDate.ofInstant(now, ZoneId.systemDefault()).toString();
        Files.writeString(directory.resolve("log." + today + ".x.txt"), "of somebody else");
        LogFiles files = files(directory, "log", ".txt", ".yyyy-MM-dd").limited(10, 2);
        RotatingFile file = new RotatingFile(files);
        for (String line :
                new String[] {"1234567\n", "a\n", "b\n", "a line longer than ten\n", "c\n", "dddddddd\n", "e\n"}) {
            write(file, line, now);
        }
        file.close();
        String prefix = "log." + today;
        assertEquals(Set.of(prefix + ".txt", prefix + ".4.txt", prefix + ".5.txt", prefix + ".x.txt"), names());
        assertEquals("dddddddd\n", Files.readString(directory.resolve(prefix + ".5.txt")));
        assertEquals("e\n", Files.readString(directory.resolve(prefix + ".txt")));
    }

    @Test
    void countsWithoutADateAndGoesOnAfterARestart() throws IOException {
        Instant now = Instant.now();
        for (int i = 0; i < 3; i++) {
            RotatingFile file = new RotatingFile(files(directory, "log", "", "").limited(4, 0));
            write(file, i + "23\n", now);
            file.close();
        }
        assertEquals(Set.of("log", "log.1", "log.2"), names());
        assertEquals("023\n", Files.readString(directory.resolve("log.1")));
        assertEquals("223\n", Files.readString(directory.resolve("log")));
    }

    @Test
    void isWrittenByAnInterruptedThread() throws IOException {
        RotatingFile file = new RotatingFile(files(directory, "log", "", ""));
        Thread.currentThread().interrupt();
        write(file, "one\n", Instant.now());
        write(file, "two\n", Instant.now());
        assertTrue(Thread.interrupted());
        file.close();
        assertEquals("one\ntwo\n", Files.readString(directory.resolve("log")));
    }

    /** A device that is always full, in place of the disk. */
    @Test
    void failsWhileTheDiskIsFull() throws IOException {
        Files.createSymbolicLink(directory.resolve("log"), Path.of("/dev/full"));
        RotatingFile file = new RotatingFile(LogFiles.of(directory, "log", "", "", false, -1, true));
        Instant now = Instant.now();
        assertThrows(IOException.class, () -> write(file, "one\n", now));
        Files.delete(directory.resolve("log"));
        write(file, "two\n", now.plusSeconds(2));
        file.close();
        assertEquals("two\n", Files.readString(directory.resolve("log")));
    }

    @Test
    void isBegunAnewIfSomebodyMovedItAway() throws IOException {
        Instant now = Instant.now();
        RotatingFile file = new RotatingFile(LogFiles.of(directory, "log", "", "", false, -1, true));
        write(file, "one\n", now);
        Files.move(directory.resolve("log"), directory.resolve("log.1"));
        write(file, "two\n", now.plusSeconds(2));
        file.close();
        assertEquals("one\n", Files.readString(directory.resolve("log.1")));
        assertEquals("two\n", Files.readString(directory.resolve("log")));
    }
}
