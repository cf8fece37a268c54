package io.millrace.handler;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When a request arrived: {@code %t}. The text of a second is kept, for the next request most often came in it too. */
final class AccessTime implements AccessField {

    private static final String COMMON_LOG = "'['dd/MMM/yyyy:HH:mm:ss Z']'";

    private final @Nullable DateTimeFormatter formatter;
    private final boolean millis;
    private long last = Long.MIN_VALUE;
    private String text = "";

    /**
     * A format.
     *
     * @param format {@code sec} or {@code msec} for seconds or milliseconds since 1970, a pattern of {@link
     *     DateTimeFormatter}, or empty for the format of the common log
     */
    AccessTime(String format) {
        boolean number = format.equals("sec") || format.equals("msec");
        String pattern = format.isEmpty() ? COMMON_LOG : format;
        millis = format.equals("msec") || !number && pattern.contains("S");
        formatter = number
                ? null
                : DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneId.systemDefault());
        if (formatter != null) {
            formatter.formatTo(
                    Instant.EPOCH,
                    new StringBuilder()); // so that a pattern that can't be written fails here, not at each line
        }
    }

    @Override
    public void append(AccessEntry entry, LineBuffer line) {
        long time = millis ? entry.began() : entry.began() / 1000;
        if (time != last) {
            last = time;
            text = formatter == null ? Long.toString(time) : formatter.format(Instant.ofEpochMilli(entry.began()));
        }
        line.foreign(text);
    }
}
