package io.millrace.standalone.base;

import io.millrace.text.Plural;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The levels of loggers in the file that configures java.util.logging, which can be read again while the server runs. Its handlers cannot:
 * messages that are logged meanwhile would be lost. Thread-safe.
 */
public final class LoggingLevels {

    private static final String LEVEL = ".level";

    private final @Nullable Path file;

    // guarded by this
    private Properties current;
    /** Strong references: java.util.logging drops the level of an unreachable logger. */
    private final Map<String, Logger> loggers = new HashMap<>();

    private LoggingLevels(@Nullable Path file) {
        this.file = file;
        Properties read = new Properties();
        try {
            read = read();
        } catch (IOException | IllegalArgumentException unreadable) {
            // LoggingFile has reported it
        }
        current = read;
    }

    /** Those of the file with which this process was started. Called after {@link BaseFiles#useLoggingFile}. */
    public static LoggingLevels ofProcess() {
        String name = System.getProperty(LoggingFile.PROPERTY);
        return new LoggingLevels(name == null ? null : Path.of(name));
    }

    static LoggingLevels of(Path file) {
        return new LoggingLevels(file);
    }

    private Properties read() throws IOException {
        Properties read = new Properties();
        if (file != null) {
            try (InputStream in = Files.newInputStream(file)) {
                read.load(in);
            }
        }
        return read;
    }

    /** Reads the file again and sets the levels that have changed; a line says what was done, or why not. */
    public synchronized List<String> reload() {
        if (file == null) {
            return List.of("logging: by MILLRACE_LOG; a " + LoggingFile.FILE + " needs a restart of the server");
        }
        Properties next;
        try {
            next = read();
        } catch (NoSuchFileException e) {
            return List.of(file + ": it is gone; the levels stay as they were");
        } catch (IOException | IllegalArgumentException e) {
            return List.of(file + ": cannot be read (" + e + "); the levels stay as they were");
        }
        List<String> lines = new ArrayList<>();
        List<String> restart = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        int set = 0;
        TreeSet<String> keys = new TreeSet<>(current.stringPropertyNames());
        keys.addAll(next.stringPropertyNames());
        for (String key : keys) {
            String value = next.getProperty(key);
            if (Objects.equals(value, current.getProperty(key))) {
                continue;
            }
            if (!key.endsWith(LEVEL) || isOfHandler(key, next) || isOfHandler(key, current)) {
                restart.add(key);
                kept.add(key);
            } else if (set(key.substring(0, key.length() - LEVEL.length()), value)) {
                set++;
            } else {
                kept.add(key);
                lines.add(
                        file + ": " + key + "=" + value
                                + ": expected SEVERE, WARNING, INFO, CONFIG, FINE, FINER, FINEST, ALL or OFF; it stays as it was");
            }
        }
        for (String key : kept) { // they are reported again, until they are corrected or the server is restarted
            String before = current.getProperty(key);
            next.remove(key);
            if (before != null) {
                next.setProperty(key, before);
            }
        }
        current = next;
        lines.add(file + ": " + Plural.of(set, "level") + " changed"
                + (restart.isEmpty() ? "" : "; a restart is needed for " + String.join(", ", restart)));
        return lines;
    }

    private static boolean isOfHandler(String key, Properties file) {
        String name = key.substring(0, key.length() - LEVEL.length());
        return file.stringPropertyNames().stream()
                .filter(each -> each.equals("handlers") || each.endsWith(".handlers"))
                .flatMap(each -> List.of(file.getProperty(each).split("[,\\s]+")).stream())
                .anyMatch(name::equals);
    }

    /** @param value null for the level of the logger above; the root logger then has INFO */
    private boolean set(String name, @Nullable String value) {
        Level level;
        try {
            level = value == null ? null : Level.parse(value.strip());
        } catch (IllegalArgumentException unknown) {
            return false;
        }
        Logger logger = loggers.computeIfAbsent(name, Logger::getLogger);
        logger.setLevel(level == null && name.isEmpty() ? Level.INFO : level);
        return true;
    }
}
