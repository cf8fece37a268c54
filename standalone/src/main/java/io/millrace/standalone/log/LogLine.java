package io.millrace.standalone.log;

import io.millrace.exchange.RequestId;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Formats a log message: {@code 2026-11-22T12:30:01.123+01:00 WARN  [catalina-exec-5] MILLRACE0008: the message}. A message
 * without an id is preceded by the name of the logger; the id of a request follows the name of the thread. Further lines of a message and stack traces begin with a tab, and control
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
        line.append(String.format(Locale.ROOT, " %-5s ", name(level)))
                .append('[')
                .append(nameOf(thread));
        RequestId request = RequestId.current();
        if (request != null) {
            line.append(' ').append(request.value());
        }
        line.append("] ");
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

    /** {@code FATAL} is an error like others. */
    static String name(Level level) {
        return level == Level.FATAL ? Level.ERROR.name() : level.name();
    }

    /** Virtual threads often have no name. */
    static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "thread-" + thread.getId() : name;
    }

    private static void append(Throwable thrown, StringBuilder line) {
        if (ThrowableText.isBare(thrown)) {
            // an exception without a stack trace: its message is sufficient
            append(": " + ThrowableText.message(thrown), line);
        } else {
            append("\n" + ThrowableText.of(thrown), line);
        }
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
