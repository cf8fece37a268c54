package io.millrace.http1;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The Date field, made anew at most once a second, by whoever needs it then (RFC 9110, 6.6.1). Any thread. */
final class DateLine {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private volatile Line current = Line.at(0);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Line(long second, byte[] bytes) {
        static Line at(long second) {
            String text = "Date: " + FORMAT.format(Instant.ofEpochSecond(second)) + "\r\n";
            return new Line(second, Octets.ascii(text));
        }
    }

    /** The whole line with its end; shared, not to be changed. */
    byte[] bytes() {
        long second = Math.floorDiv(System.currentTimeMillis(), 1000);
        Line line = current;
        if (line.second != second) {
            line = Line.at(second);
            current = line;
        }
        return line.bytes;
    }
}
