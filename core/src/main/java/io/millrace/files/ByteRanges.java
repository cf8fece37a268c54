package io.millrace.files;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parser of the {@code Range} field (RFC 9110, 14.1 and 14.2). */
final class ByteRanges {

    /** More ranges are an attack, or cover nearly everything: the field is then ignored. */
    private static final int MOST = 50;

    /** The approximate length of a part's head: ranges with a smaller gap are merged (RFC 9110, 15.3.7.2). */
    private static final int PART_HEAD = 80;

    private static final String UNIT = "bytes=";

    private ByteRanges() {}

    /**
     * The ranges to send, in the order requested, with overlapping and close ones merged; empty if none is satisfiable (416); null if
     * the field is ignored: it is invalid, or the file is empty. A client that limits what it takes gets an empty response then, not an
     * error, as from Tomcat; RFC 9110, 14.2, permits it.
     */
    static @Nullable List<ByteRange> parse(String field, long length) {
        if (length == 0 || !field.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return null;
        }
        List<ByteRange> ranges = new ArrayList<>(1);
        int count = 0;
        for (String spec : field.substring(UNIT.length()).split(",", -1)) {
            String trimmed = spec.strip();
            if (trimmed.isEmpty()) {
                continue; // RFC 9110, 5.6.1.2: empty elements of a list are ignored
            }
            ByteRange range = parseOne(trimmed, length);
            if (range == null || ++count > MOST) {
                return null;
            }
            if (range.length() > 0) {
                add(ranges, range);
            }
        }
        return count == 0 ? null : ranges;
    }

    /** A range of length 0 if it is not satisfiable; null if it is invalid. */
    private static @Nullable ByteRange parseOne(String spec, long length) {
        int dash = spec.indexOf('-');
        if (dash < 0) {
            return null;
        }
        long first = number(spec, 0, dash);
        long last = number(spec, dash + 1, spec.length());
        boolean suffix = dash == 0;
        boolean open = dash == spec.length() - 1;
        if (first < 0 && !suffix || last < 0 && !open || suffix && open || !suffix && !open && last < first) {
            return null;
        }
        if (suffix) {
            long size = Math.min(last, length);
            return new ByteRange(length - size, size);
        }
        long end = open || last >= length ? length : last + 1;
        return new ByteRange(first, Math.max(0, end - first));
    }

    /** -1 if it is not a number. A number too large for a long becomes the largest. */
    private static long number(String text, int from, int to) {
        long value = from == to ? -1 : 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : value * 10 + digit;
        }
        return value;
    }

    private static void add(List<ByteRange> ranges, ByteRange range) {
        ByteRange merged = range;
        for (int i = 0; i < ranges.size(); ) {
            ByteRange other = ranges.get(i);
            if (other.from() <= merged.end() + PART_HEAD && merged.from() <= other.end() + PART_HEAD) {
                long from = Math.min(other.from(), merged.from());
                merged = new ByteRange(from, Math.max(other.end(), merged.end()) - from);
                ranges.remove(i);
                i = 0;
            } else {
                i++;
            }
        }
        ranges.add(merged);
    }
}
