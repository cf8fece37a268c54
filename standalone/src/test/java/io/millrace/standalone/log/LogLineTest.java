package io.millrace.standalone.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A line of the log … */
final class LogLineTest {

    private static final Instant AT = Instant.parse("2026-11-22T10:15:30.123456Z");
    private static final String TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
            .withZone(ZoneId.systemDefault())
            .format(AT);

    @Test
    void hasDateTimeLevelThreadAndId() {
        assertEquals(TIME + " WARN  [exec-1] MILLRACE0008: message\n", line(Level.WARN, "MILLRACE0008: message", null));
    }

    @Test
    void namesTheLoggerOfAMessageWithoutId() {
        assertEquals(TIME + " DEBUG [exec-1] com.example: message\n", line(Level.DEBUG, "message", null));
    }

    @Test
    void indentsFurtherLinesThatCouldBeTakenForOthers() {
        assertEquals(
                TIME + " INFO  [exec-1] com.example: one\n\t2026 two\n\tthree?four?\n",
                line(Level.INFO, "one\n2026 two\r\n\tthree\rfour\u001b", null));
    }

    @Test
    void tellsTheMessageOfWhatWasThrownWithoutAStackTrace() {
        Exception thrown = new Exception("why");
        thrown.setStackTrace(new StackTraceElement[0]);
        assertEquals(TIME + " ERROR [exec-1] com.example: message: why\n", line(Level.ERROR, "message", thrown));
    }

    @Test
    void hasAnIndentedStackTrace() {
        String line = line(Level.ERROR, "message", new Exception("a\nb", new Exception("c\nd")));
        assertTrue(line.contains("message\n\tjava.lang.Exception: a\n\tb\n\tat "), line);
        assertTrue(line.lines().skip(1).allMatch(each -> each.startsWith("\t")), line);
    }

    private static String line(Level level, String message, @Nullable Throwable thrown) {
        return LogLine.of(AT, level, new Thread("exec-1"), "com.example", message, thrown)
                .replace(System.lineSeparator(), "\n");
    }
}
