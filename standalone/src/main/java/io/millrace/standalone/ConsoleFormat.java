package io.millrace.standalone;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** {@code 12:30:01.123 WARN  the message}: one line a record, and the stack trace if there is one. */
final class ConsoleFormat extends Formatter {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    @Override
    public String format(LogRecord record) {
        StringBuilder line = new StringBuilder(160)
                .append(TIME.format(record.getInstant()))
                .append(label(record.getLevel()))
                .append(formatMessage(record));
        Throwable thrown = record.getThrown();
        if (thrown == null) {
            return line.append(System.lineSeparator()).toString();
        }
        if (thrown.getStackTrace().length == 0) {
            // thrown without one on purpose: its message is the whole story
            return line.append(": ")
                    .append(thrown.getMessage())
                    .append(System.lineSeparator())
                    .toString();
        }
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        return line.append(System.lineSeparator()).append(trace).toString();
    }

    /** jboss-logging maps its levels to numbers of its own between those of java.util.logging. */
    private static String label(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return " ERROR ";
        }
        if (level.intValue() >= Level.WARNING.intValue()) {
            return " WARN  ";
        }
        return level.intValue() >= Level.INFO.intValue() ? " INFO  " : " DEBUG ";
    }
}
