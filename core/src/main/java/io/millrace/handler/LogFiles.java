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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a log: their names, rotation and deletion. Not thread-safe, because SimpleDateFormat is not.
 *
 * @param dates the format of the part between prefix and suffix
 * @param renames whether the current file has no date in its name, and is renamed when it is rotated
 * @param maxDays files that were last written longer ago are deleted; 0 or less to keep all
 * @param checksExistence whether a file that was renamed or deleted by another program is created again
 * @param limit the size in bytes at which a file is full: it is renamed, with a number, and another one begun; 0 for none
 * @param count how many files are kept besides the current one, the latest ones; 0 to keep all
 */
public record LogFiles(
        Path directory,
        String prefix,
        String suffix,
        SimpleDateFormat dates,
        boolean renames,
        int maxDays,
        boolean checksExistence,
        long limit,
        int count) {

    private static final Pattern NUMBER = Pattern.compile("[.]([0-9]{1,9})");

    /**
     * Files without a limit.
     *
     * @throws IllegalArgumentException if the date format is invalid
     */
    public static LogFiles of(
            Path directory,
            String prefix,
            String suffix,
            String dateFormat,
            boolean renames,
            int maxDays,
            boolean checksExistence) {
        SimpleDateFormat dates = new SimpleDateFormat(dateFormat, Locale.US);
        dates.setLenient(false);
        return new LogFiles(directory, prefix, suffix, dates, renames, maxDays, checksExistence, 0, 0);
    }

    /** The same, with a limit and a count. */
    public LogFiles limited(long bytes, int kept) {
        return new LogFiles(directory, prefix, suffix, dates, renames, maxDays, checksExistence, bytes, kept);
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

    /** Renames the current file, which is full: {@code access_log.2026-11-28.1.txt}, then {@code .2}. */
    void setAside(String date) throws IOException {
        int last = 0;
        for (Path file : ours()) {
            String part = part(file);
            if (part.startsWith(date)) {
                last = Math.max(last, number(part.substring(date.length())));
            }
        }
        Files.move(
                current(date),
                directory.resolve(prefix + date + "." + (last + 1) + suffix),
                StandardCopyOption.ATOMIC_MOVE);
    }

    /** Deletes files that are too old or too many. Ignores files whose names do not have the prefix, a date and the suffix. */
    void deleteOld(long now) throws IOException {
        if (maxDays <= 0 && count <= 0) {
            return;
        }
        Path used = current(date(now));
        long oldest =
                maxDays <= 0 ? Long.MIN_VALUE : now - Duration.ofDays(maxDays).toMillis();
        List<Kept> kept = new ArrayList<>();
        for (Path file : ours()) {
            if (!file.equals(used) && Files.isRegularFile(file)) {
                kept.add(new Kept(file, Files.getLastModifiedTime(file).toMillis(), trailing(part(file))));
            }
        }
        kept.sort(Comparator.comparingLong(Kept::time)
                .thenComparingInt(Kept::number)
                .reversed());
        for (int i = 0; i < kept.size(); i++) {
            if (count > 0 && i >= count || kept.get(i).time() < oldest) {
                Files.deleteIfExists(kept.get(i).file());
            }
        }
    }

    /** A file that is not written any more, and when it was last. */
    private record Kept(Path file, long time, int number) {}

    private List<Path> ours() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> isOurs(String.valueOf(file.getFileName())))
                    .toList();
        }
    }

    private boolean isOurs(String name) {
        if (name.length() <= prefix.length() + suffix.length() || !name.startsWith(prefix) || !name.endsWith(suffix)) {
            return false;
        }
        String part = name.substring(prefix.length(), name.length() - suffix.length());
        ParsePosition at = new ParsePosition(0);
        return dates.parse(part, at) != null
                && (at.getIndex() == part.length() || number(part.substring(at.getIndex())) > 0);
    }

    /** The part of a file's name between prefix and suffix. */
    private String part(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(prefix.length(), name.length() - suffix.length());
    }

    private static int trailing(String part) {
        return number(part.substring(Math.max(0, part.lastIndexOf('.'))));
    }

    /** The number at the end of a full file's name; 0 if there is none. */
    private static int number(String part) {
        Matcher number = NUMBER.matcher(part);
        return number.matches() ? Integer.parseInt(number.group(1)) : 0;
    }
}
