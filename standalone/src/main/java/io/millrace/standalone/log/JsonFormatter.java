package io.millrace.standalone.log;

import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * A formatter for {@code logging.properties} that writes one JSON object per message, in one line: {@code ts}, {@code level},
 * {@code id}, {@code logger}, {@code thread}, {@code msg}, {@code app}, {@code req}, {@code trace}, {@code error}. Must be called
 * on the thread that logs, as the server's file handlers do, since that thread knows the application and the request. Thread-safe.
 */
public final class JsonFormatter extends Formatter {

    /** The names of the server's own levels, so that one query finds the messages of both. */
    private static final Map<Level, String> LEVELS = Map.of(
            Level.SEVERE, "ERROR",
            Level.WARNING, "WARN",
            Level.INFO, "INFO",
            Level.CONFIG, "DEBUG",
            Level.FINE, "DEBUG",
            Level.FINER, "TRACE",
            Level.FINEST, "TRACE");

    /** Called by java.util.logging. */
    public JsonFormatter() {}

    @Override
    public String format(LogRecord entry) {
        String logger = entry.getLoggerName();
        return JsonLine.of(
                        entry.getInstant(),
                        level(entry.getLevel()),
                        thread(entry.getLongThreadID()),
                        logger == null ? "" : logger,
                        message(entry),
                        entry.getThrown())
                + "\n";
    }

    private @Nullable String message(LogRecord entry) {
        return message(this, entry);
    }

    /** With its parameters, whose {@code toString} may throw anything: the message without them is better than none. */
    static @Nullable String message(Formatter formatter, LogRecord entry) {
        try {
            return formatter.formatMessage(entry);
        } catch (Throwable broken) {
            return entry.getMessage() + " (a parameter threw "
                    + broken.getClass().getName() + ")";
        }
    }

    /** Levels of applications keep their names. */
    private static String level(Level level) {
        String known = LEVELS.get(level);
        if (known != null) {
            return known;
        }
        try {
            String own = level.getName();
            return own == null ? Integer.toString(level.intValue()) : own;
        } catch (Throwable broken) {
            return Integer.toString(level.intValue());
        }
    }

    private static String thread(long id) {
        Thread current = Thread.currentThread();
        return current.getId() == id ? LogLine.nameOf(current) : "thread-" + id;
    }
}
