package io.millrace.standalone.log;

import io.millrace.exchange.RequestId;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats a log message as one JSON object (RFC 8259) in one line, whatever the message contains: {@code ts}, {@code level},
 * {@code id} (MILLRACE4600), {@code logger}, {@code thread}, {@code msg}, {@code app}, {@code req} and {@code trace} (a
 * request's ids), {@code error} with {@code type}, {@code
 * msg} and {@code stack}. What is unknown is omitted. A message of more than 64 KiB is cut, and ends with its length.
 */
final class JsonLine {

    /** RFC 3339, with milliseconds and the offset of the local time. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private static final String MESSAGE_ID = "MILLRACE";

    /** Of a text in UTF-8, before it is escaped. */
    private static final int MAX_BYTES = 64 * 1024;

    private final StringBuilder line = new StringBuilder(256);

    private JsonLine() {}

    /** The line, without its separator. */
    static String of(
            Instant at,
            String level,
            String thread,
            String logger,
            @Nullable String message,
            @Nullable Throwable thrown) {
        return new JsonLine().write(at, level, thread, logger, String.valueOf(message), thrown);
    }

    private String write(
            Instant at, String level, String thread, String logger, String message, @Nullable Throwable thrown) {
        line.append("{\"ts\":\"");
        TIME.formatTo(at, line);
        line.append('"');
        member("level", level);
        int colon = endOfId(message);
        member("id", colon < 0 ? null : message.substring(0, colon));
        member("logger", logger);
        member("thread", thread);
        member("msg", colon < 0 ? message : message.substring(colon + 2));
        member("app", LogOrigin.application(logger));
        RequestId request = RequestId.current();
        if (request != null) {
            member("req", request.value());
            member("trace", request.traceId());
        }
        if (thrown != null) {
            line.append(",\"error\":{\"type\":");
            quote(thrown.getClass().getName());
            member("msg", ThrowableText.message(thrown));
            member("stack", ThrowableText.of(thrown));
            line.append('}');
        }
        return line.append('}').toString();
    }

    /** The index of the colon behind {@code MILLRACE4600}; -1 if the message has no id. */
    private static int endOfId(String message) {
        if (!message.startsWith(MESSAGE_ID)) {
            return -1;
        }
        int at = MESSAGE_ID.length();
        while (at < message.length() && message.charAt(at) >= '0' && message.charAt(at) <= '9') {
            at++;
        }
        return at > MESSAGE_ID.length() && message.startsWith(": ", at) ? at : -1;
    }

    private void member(String name, @Nullable String value) {
        if (value != null) {
            line.append(",\"").append(name).append("\":");
            quote(value);
        }
    }

    private void quote(String text) {
        line.append('"');
        int bytes = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (bytes > MAX_BYTES) {
                line.append("... (cut; ").append(text.length()).append(" characters)");
                break;
            }
            append(c);
        }
        line.append('"');
    }

    /** Escapes what ends a line for any reader of it, and replaces what no UTF-8 can express. */
    private void append(int c) {
        switch (c) {
            case '"', '\\' -> line.append('\\').append((char) c);
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            default -> {
                if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                    line.append(String.format(Locale.ROOT, "\\u%04x", c));
                } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                    line.append("\\ufffd");
                } else {
                    line.appendCodePoint(c);
                }
            }
        }
    }
}
