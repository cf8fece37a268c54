package io.millrace.http1;

import io.millrace.http.HttpDates;

/** The Date field (RFC 9110, 6.6.1), formatted at most once a second, by the thread that needs it. Thread-safe. */
final class DateLine {

    private volatile Line current = Line.at(0);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Line(long second, byte[] bytes) {
        static Line at(long second) {
            String text = "Date: " + HttpDates.format(1000 * second) + "\r\n";
            return new Line(second, Octets.ascii(text));
        }
    }

    /** The complete line, including CR LF; shared, must not be modified. */
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
