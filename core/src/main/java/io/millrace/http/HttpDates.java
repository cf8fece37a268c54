package io.millrace.http;

import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;

/** Dates in header fields (RFC 9110, 5.6.7): written as IMF-fixdate, read in all three formats. */
public final class HttpDates {

    private static final DateTimeFormatter IMF =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    /** Two-digit years are read as 1970 to 2069. */
    private static final DateTimeFormatter RFC_850 = new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.US);

    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US);

    private static final List<DateTimeFormatter> READ = List.of(IMF, RFC_850, ASCTIME);

    private static volatile Second now = new Second(Long.MIN_VALUE, "");

    private record Second(long second, String text) {}

    private HttpDates() {}

    /**
     * The current time in the format of the Date field (RFC 9110, 6.6.1). Formatted at most once a second. Safe to call
     * from any thread.
     */
    public static String now() {
        long second = Math.floorDiv(System.currentTimeMillis(), 1000);
        Second current = now;
        if (current.second != second) {
            current = new Second(second, format(1000 * second));
            now = current;
        }
        return current.text;
    }

    /** Formats a time, in milliseconds since 1970, as IMF-fixdate. */
    public static String format(long millis) {
        return IMF.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    /**
     * Parses a date in any of the three formats.
     *
     * @return milliseconds since 1970
     * @throws IllegalArgumentException if the text is not a date
     */
    public static long parse(String value) {
        for (DateTimeFormatter format : READ) {
            ParsePosition at = new ParsePosition(0);
            TemporalAccessor parsed = format.parseUnresolved(value.trim(), at);
            if (parsed != null
                    && at.getErrorIndex() < 0
                    && at.getIndex() == value.trim().length()) {
                return millis(format, value.trim());
            }
        }
        throw new IllegalArgumentException("\"" + value + "\" is not an HTTP date");
    }

    /**
     * Parses a date in any of the three formats, or one like IMF-fixdate in another time zone: applications' own fields have the dates of
     * mails (RFC 5322, 3.3). A condition must not: a date that is not an HTTP date is ignored there (RFC 9110, 13.1.3).
     *
     * @return milliseconds since 1970
     * @throws IllegalArgumentException if the text is not a date
     */
    public static long parseInAnyZone(String value) {
        String text = value.trim();
        if (text.endsWith("GMT") || text.indexOf(',') != 3) {
            return parse(text);
        }
        try {
            return Zoned.FORMAT.parse(text, Instant::from).toEpochMilli();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("\"" + value + "\" is not an HTTP date", e);
        }
    }

    /** Made at the first use: names of zones are many. */
    private static final class Zoned {

        static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss [Z][zzz]", Locale.US);

        private Zoned() {}
    }

    /** The format matches, but the day may not exist. */
    private static long millis(DateTimeFormatter format, String value) {
        try {
            return LocalDateTime.parse(value, format).toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("\"" + value + "\" is not a valid date", e);
        }
    }
}
