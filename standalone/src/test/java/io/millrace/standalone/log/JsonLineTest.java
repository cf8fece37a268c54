package io.millrace.standalone.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A line of the log in JSON … */
final class JsonLineTest {

    private static final Instant AT = Instant.parse("2026-11-22T10:15:30.123456Z");

    private static String line(@Nullable String message, @Nullable Throwable thrown) {
        return JsonLine.of(AT, "WARN", "exec-1", "com.example", message, thrown);
    }

    private static String member(String line, String name) {
        int at = line.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return line.substring(at, line.indexOf('"', at));
    }

    @Test
    void hasTimeLevelIdLoggerThreadAndMessage() {
        String line = line("MILLRACE0008: hello", null);
        assertEquals(
                "\"level\":\"WARN\",\"id\":\"MILLRACE0008\",\"logger\":\"com.example\",\"thread\":\"exec-1\",\"msg\":\"hello\"}",
                line.substring(line.indexOf("\"level\"")));
        assertEquals(
                Instant.parse("2026-11-22T10:15:30.123Z"),
                OffsetDateTime.parse(member(line, "ts")).toInstant());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MILLRACE", "MILLRACE: x", "MILLRACE12", "MILLRACE12:x", "MILLRACEx12: x", "x MILLRACE12: x"})
    void takesNothingElseForAnId(String message) {
        assertFalse(line(message, null).contains("\"id\""), message);
    }

    @Test
    void isOneLineWhateverTheMessageContains() {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            all.append((char) c).append('x');
            if (all.length() > 20_000 || c == Character.MAX_VALUE) {
                String line = line(all.toString(), null);
                assertEquals(1, line.lines().count());
                assertTrue(line.codePoints().noneMatch(JsonLineTest::isForbidden), line);
                all.setLength(0);
            }
        }
    }

    private static boolean isForbidden(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || c >= 0xd800 && c <= 0xdfff;
    }

    @Test
    void escapesWhatJsonEscapes() {
        assertTrue(
                line("\"a\\b\"\n\r\t\0\u001b\u0085\u2028 \ud83d\ude00 \ud83d \ude00.", null)
                        .contains(
                                "\"msg\":\"\\\"a\\\\b\\\"\\n\\r\\t\\u0000\\u001b\\u0085\\u2028 \ud83d\ude00 \\ufffd \\ufffd.\""));
    }

    @Test
    void cutsALongMessageAndTellsItsLength() {
        String line = line("€".repeat(1024 * 1024), null);
        assertTrue(line.endsWith("€... (cut; 1048576 characters)\"}"), () -> line.substring(line.length() - 60));
        int bytes = line.getBytes(StandardCharsets.UTF_8).length;
        assertTrue(bytes > 65_000 && bytes < 66_000, () -> bytes + " bytes");
        assertFalse(line("x".repeat(65_536), null).contains("(cut"));
    }

    @Test
    void hasTheExceptionWithItsCausesAndSuppressedOnes() {
        Exception thrown = new IllegalStateException("outer\nline", new Exception("inner \"quoted\""));
        thrown.addSuppressed(new Exception("closing"));
        String line = line(null, thrown);
        assertTrue(
                line.contains(
                        "\"msg\":\"null\",\"error\":{\"type\":\"java.lang.IllegalStateException\","
                                + "\"msg\":\"outer\\nline\",\"stack\":\"java.lang.IllegalStateException: outer\\nline\\n\\tat "),
                line);
        assertTrue(line.contains("\\n\\tSuppressed: java.lang.Exception: closing\\n\\t\\tat "), line);
        assertTrue(line.contains("\\nCaused by: java.lang.Exception: inner \\\"quoted\\\"\\n"), line);
        assertTrue(line.contains(" more\"}}"), line);
    }

    @Test
    void endsForCausesInACircleAndEndlessOnes() {
        Exception first = new Exception("first");
        Exception second = new Exception("second", first);
        first.initCause(second);
        assertTrue(line("", first).contains("Caused by: [CIRCULAR REFERENCE: java.lang.Exception: first]"));
        assertTrue(line("", new Endless()).length() < 80_000);
    }

    /** Each cause has another one. */
    private static final class Endless extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            return new Endless();
        }
    }

    @Test
    void isWrittenForAnExceptionAllOfWhoseMethodsThrow() {
        String line = line("message", new Broken());
        assertTrue(line.contains("\"type\":\"" + Broken.class.getName()), line);
        assertTrue(line.contains("(getMessage threw java.lang.StackOverflowError)"), line);
        assertTrue(line.contains("(toString threw java.lang.StackOverflowError)"), line);
        assertTrue(LogLine.of(
                        AT, org.jboss.logging.Logger.Level.WARN, new Thread("exec-1"), "com.example", "m", new Broken())
                .contains("m: (getMessage threw"));
    }

    /** All methods throw. */
    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new StackOverflowError();
        }

        @Override
        public synchronized Throwable getCause() {
            throw new StackOverflowError();
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new StackOverflowError();
        }

        @Override
        public String toString() {
            throw new StackOverflowError();
        }
    }

    private static String formatted(LogRecord entry) {
        return new JsonFormatter().format(entry);
    }

    @Test
    void ofAFormatterHasTheLevelsOfTheServerAndThoseOfApplications() {
        assertEquals("ERROR", member(formatted(new LogRecord(Level.SEVERE, "x")), "level"));
        assertEquals("DEBUG", member(formatted(new LogRecord(Level.FINE, "x")), "level"));
        assertEquals("AUDIT", member(formatted(new LogRecord(new Own("AUDIT", 850), "x")), "level"));
        assertEquals("851", member(formatted(new LogRecord(new Own("broken", 851), "x")), "level"));
    }

    /** A level of an application. */
    private static final class Own extends Level {

        private static final long serialVersionUID = 1L;

        Own(String name, int value) {
            super(name, value);
        }

        @Override
        public String getName() {
            if (intValue() == 851) {
                throw new IllegalStateException();
            }
            return super.getName();
        }
    }

    @Test
    void ofAFormatterIsWrittenForParametersThatCannotBeFormatted() {
        LogRecord entry = new LogRecord(Level.INFO, "value {0}");
        entry.setParameters(new Object[] {
            new Object() {
                @Override
                public String toString() {
                    throw new StackOverflowError();
                }
            }
        });
        assertEquals("value {0} (a parameter threw java.lang.StackOverflowError)", member(formatted(entry), "msg"));
        LogRecord empty = new LogRecord(Level.INFO, null);
        assertEquals("null", member(formatted(empty), "msg"));
        assertTrue(formatted(empty).endsWith("}\n"));
    }
}
