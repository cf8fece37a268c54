package io.millrace.handler;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** A file whose name holds the date; another one begins when the date does. Appends to what is there. */
final class RotatingFile implements AccessOutput {

    private static final long SECOND = 1000;

    private final Path directory;
    private final String prefix;
    private final String suffix;
    private final DateTimeFormatter dates;
    private String date;
    private OutputStream out;
    private long checked;

    RotatingFile(Path directory, String prefix, String suffix, String fileDateFormat) throws IOException {
        this.directory = directory;
        this.prefix = prefix;
        this.suffix = suffix;
        dates = DateTimeFormatter.ofPattern(fileDateFormat).withZone(ZoneId.systemDefault());
        Files.createDirectories(directory);
        checked = System.currentTimeMillis();
        date = dates.format(Instant.ofEpochMilli(checked));
        out = open(date);
    }

    @Override
    public void write(byte[] bytes, int length, long now) throws IOException {
        if (now - checked >= SECOND) {
            checked = now;
            rotate(dates.format(Instant.ofEpochMilli(now)));
        }
        out.write(bytes, 0, length);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void rotate(String today) throws IOException {
        if (!today.equals(date)) {
            OutputStream next = open(today);
            out.close();
            out = next;
            date = today;
        }
    }

    private OutputStream open(String dated) throws IOException {
        return Files.newOutputStream(
                directory.resolve(prefix + dated + suffix), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
