package io.millrace.servlet.resource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of contents of a zip file … */
final class ZipDirectoryTest {

    @TempDir
    private Path directory = Path.of("");

    @Test
    void saysWhichNamesThereAre() throws IOException {
        Path zip = zip("", "META-INF/one.tld", "two.class");
        assertTrue(ZipDirectory.mayHave(zip, ".tld"));
        assertTrue(ZipDirectory.mayHave(zip, "two.class"));
        assertFalse(ZipDirectory.mayHave(zip, ".jsp"), "contents are not looked at");
        assertFalse(ZipDirectory.mayHave(zip(""), ".tld"));
    }

    @Test
    void findsThemBehindAProgramAsWell() throws IOException {
        byte[] zip = Files.readAllBytes(zip("", "META-INF/one.tld"));
        byte[] script = "#!/bin/sh\nexec java -jar $0\n".getBytes(StandardCharsets.US_ASCII);
        Path file = Files.write(directory.resolve("program.jar"), script);
        Files.write(file, zip, StandardOpenOption.APPEND);
        assertTrue(ZipDirectory.mayHave(file, ".tld"));
        assertFalse(ZipDirectory.mayHave(file, ".class"));
    }

    @Test
    void leavesToZipFileWhatItDoesNotUnderstand() throws IOException {
        assertTrue(ZipDirectory.mayHave(zip("a comment at the end", "two.class"), ".tld"));
        byte[] whole = Files.readAllBytes(zip("", "two.class"));
        assertTrue(ZipDirectory.mayHave(with(whole, whole.length - 7, 0x7f), ".tld"), "a table longer than the file");
        assertTrue(
                ZipDirectory.mayHave(with(whole, whole.length - 10, whole[whole.length - 10] + 1), ".tld"),
                "or no table");
    }

    @Test
    void findsNothingInAFileTooShortForOne() throws IOException {
        assertFalse(ZipDirectory.mayHave(Files.write(directory.resolve("short.jar"), new byte[5]), ".tld"));
    }

    private Path with(byte[] zip, int at, int value) throws IOException {
        byte[] bytes = zip.clone();
        bytes[at] = (byte) value;
        return Files.write(directory.resolve("damaged.jar"), bytes);
    }

    private Path zip(String comment, String... names) throws IOException {
        Path file = directory.resolve("some.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.setComment(comment);
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write("this is no .jsp".getBytes(StandardCharsets.US_ASCII));
            }
        }
        return file;
    }
}
