package io.millrace.handler;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The files of an access log: their names, rotation and deletion. Not thread-safe, because SimpleDateFormat is not.
 *
 * @param dates the format of the part between prefix and suffix
 * @param renames whether the current file has no date in its name, and is renamed when it is rotated
 * @param maxDays files that were last written longer ago are deleted; 0 or less to keep all
 * @param checksExistence whether a file that was renamed or deleted by another program is created again
 */
record LogFiles(
        Path directory,
        String prefix,
        String suffix,
        SimpleDateFormat dates,
        boolean renames,
        int maxDays,
        boolean checksExistence) {

    static LogFiles of(
            Path directory,
            String prefix,
            String suffix,
            String dateFormat,
            boolean renames,
            int maxDays,
            boolean checksExistence) {
        SimpleDateFormat dates = new SimpleDateFormat(dateFormat, Locale.US);
        dates.setLenient(false);
        return new LogFiles(directory, prefix, suffix, dates, renames, maxDays, checksExistence);
    }

    @SuppressWarnings("JavaUtilDate") // required by SimpleDateFormat
    String date(long time) {
        return dates.format(new Date(time));
    }

    /** The file that is written on a day. */
    Path current(String date) {
        return renames ? directory.resolve(prefix + suffix) : dated(date);
    }

    private Path dated(String date) {
        return directory.resolve(prefix + date + suffix);
    }

    OutputStream open(String date) throws IOException {
        return Files.newOutputStream(current(date), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Renames the current file to its dated name, if configured. If that file exists, the current one is appended to it. */
    void archive(String date) throws IOException {
        Path used = current(date);
        Path kept = dated(date);
        if (!renames || used.equals(kept) || Files.notExists(used)) {
            return;
        }
        if (Files.notExists(kept)) {
            Files.move(used, kept, StandardCopyOption.ATOMIC_MOVE);
        } else {
            try (OutputStream out = Files.newOutputStream(kept, StandardOpenOption.APPEND)) {
                Files.copy(used, out);
            }
            Files.delete(used);
        }
    }

    /** Archives a file that an earlier process wrote on another day. */
    void restore(String today) throws IOException {
        Path used = current(today);
        if (renames && Files.exists(used)) {
            String written = date(Files.getLastModifiedTime(used).toMillis());
            if (!written.equals(today)) {
                archive(written);
            }
        }
    }

    /** Deletes files that are too old. Ignores files whose names do not have the prefix, a date and the suffix. */
    void deleteOld(long now) throws IOException {
        if (maxDays <= 0) {
            return;
        }
        Path used = current(date(now));
        long oldest = now - Duration.ofDays(maxDays).toMillis();
        List<Path> old;
        try (Stream<Path> files = Files.list(directory)) {
            old = files.filter(file -> !file.equals(used) && isOurs(String.valueOf(file.getFileName())))
                    .toList();
        }
        for (Path file : old) {
            if (Files.isRegularFile(file) && Files.getLastModifiedTime(file).toMillis() < oldest) {
                Files.deleteIfExists(file);
            }
        }
    }

    private boolean isOurs(String name) {
        if (name.length() <= prefix.length() + suffix.length() || !name.startsWith(prefix) || !name.endsWith(suffix)) {
            return false;
        }
        String date = name.substring(prefix.length(), name.length() - suffix.length());
        ParsePosition at = new ParsePosition(0);
        return dates.parse(date, at) != null && at.getIndex() == date.length();
    }
}
