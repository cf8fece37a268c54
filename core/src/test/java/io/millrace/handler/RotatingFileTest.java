package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
        RotatingFile file = new RotatingFile(directory, "log", ".txt", ".yyyy-MM-dd");
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
        new RotatingFile(deep, "log", "", "").close();
        assertEquals(0, Files.size(deep.resolve("log")));
    }

    @Test
    void complainsAtOnceIfItCannotBeOpened() throws IOException {
        Files.writeString(directory.resolve("taken"), "");
        Path notADirectory = directory.resolve("taken");
        assertThrows(IOException.class, () -> new RotatingFile(notADirectory, "log", "", ""));
    }
}
