package io.millrace.handler;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The time of a request, {@code %t}. As in Tomcat, that of its end, unless the format begins with {@code begin:}. The text is cached
 * for a second, because consecutive requests usually end in the same one.
 */
final class AccessTime implements AccessField {

    private static final String COMMON_LOG = "'['dd/MMM/yyyy:HH:mm:ss Z']'";

    private enum Kind {
        SECONDS,
        MILLIS,
        /** The milliseconds within the second, three digits. */
        FRACTION,
        PATTERN
    }

    private final boolean begin;
    private final Kind kind;
    private final SimpleDateFormat formatter;
    private final boolean millis;
    private long last = Long.MIN_VALUE;
    private String text = "";

    /**
     * A format.
     *
     * @param format {@code sec}, {@code msec} or {@code msec_frac}, a pattern of {@link SimpleDateFormat}, or empty for the
     *     format of the common log; with an optional prefix {@code begin:} or {@code end:}
     * @param locale of a pattern; the format of the common log is in English
     * @throws IllegalArgumentException if it is not a valid pattern
     */
    AccessTime(String format, Locale locale) {
        begin = format.equals("begin") || format.startsWith("begin:");
        boolean end = format.equals("end") || format.startsWith("end:");
        int colon = format.indexOf(':');
        String rest = !begin && !end ? format : colon < 0 ? "" : format.substring(colon + 1);
        kind = switch (rest) {
            case "sec" -> Kind.SECONDS;
            case "msec" -> Kind.MILLIS;
            case "msec_frac" -> Kind.FRACTION;
            default -> Kind.PATTERN;
        };
        boolean common = rest.isEmpty() || kind != Kind.PATTERN;
        formatter = new SimpleDateFormat(common ? COMMON_LOG : rest, common ? Locale.US : locale);
        millis = kind == Kind.MILLIS || kind == Kind.FRACTION || kind == Kind.PATTERN && rest.contains("S");
    }

    @Override
    public void append(AccessEntry entry, LineBuffer line) {
        long time = begin ? entry.began() : entry.ended();
        long unit = millis ? time : TimeUnit.MILLISECONDS.toSeconds(time);
        if (unit != last) {
            last = unit;
            text = format(time);
        }
        line.untrusted(text);
    }

    @SuppressWarnings("JavaUtilDate") // required by SimpleDateFormat
    private String format(long time) {
        return switch (kind) {
            case SECONDS -> Long.toString(time / 1000);
            case MILLIS -> Long.toString(time);
            case FRACTION -> Long.toString(1000 + time % 1000).substring(1);
            case PATTERN -> formatter.format(new Date(time));
        };
    }
}
