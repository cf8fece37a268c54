package io.millrace.standalone.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Formats a log message: {@code 2026-11-22T12:30:01.123+01:00 WARN  [catalina-exec-5] MILLRACE0008: the message}. A message
 * without an id is preceded by the name of the logger. Further lines of a message and stack traces begin with a tab, and control
 * characters are replaced, so that text from clients cannot forge a line of the log.
 */
final class LogLine {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private static final String MESSAGE_ID = "MILLRACE";

    private LogLine() {}

    /** The formatted message with the line separator. */
    static String of(
            Instant at,
            Level level,
            Thread thread,
            String logger,
            @Nullable String message,
            @Nullable Throwable thrown) {
        StringBuilder line = new StringBuilder(200);
        TIME.formatTo(at, line);
        line.append(label(level)).append('[').append(nameOf(thread)).append("] ");
        String text = String.valueOf(message);
        if (!text.startsWith(MESSAGE_ID)) {
            line.append(logger).append(": ");
        }
        append(text, line);
        if (thrown != null) {
            append(thrown, line);
        }
        return line.append(System.lineSeparator()).toString();
    }

    private static String label(Level level) {
        return switch (level) {
            case FATAL, ERROR -> " ERROR ";
            case WARN -> " WARN  ";
            case INFO -> " INFO  ";
            case DEBUG -> " DEBUG ";
            case TRACE -> " TRACE ";
        };
    }

    /** Virtual threads often have no name. */
    private static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "thread-" + thread.getId() : name;
    }

    private static void append(Throwable thrown, StringBuilder line) {
        if (thrown.getStackTrace().length == 0) {
            // an exception without a stack trace: its message is sufficient
            append(": " + thrown.getMessage(), line);
            return;
        }
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        append("\n" + trace.toString().stripTrailing(), line);
    }

    private static void append(String text, StringBuilder line) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line.append(System.lineSeparator());
                if (i + 1 == length || text.charAt(i + 1) != '\t') {
                    line.append('\t');
                }
            } else if (c == '\t' || !Character.isISOControl(c)) {
                line.append(c);
            } else if (c != '\r' || i + 1 == length || text.charAt(i + 1) != '\n') {
                line.append('?');
            }
        }
    }
}
