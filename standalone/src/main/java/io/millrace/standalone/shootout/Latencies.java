package io.millrace.standalone.shootout;

/**
 * Counts durations in classes that are 3 % wide, from one microsecond to twelve days, in ten kilobytes. One thread writes; others read
 * when it has ended.
 */
final class Latencies {

    /** Below this, in microseconds, each value is a class of its own. */
    private static final int EXACT = 64;

    private static final int CLASSES_OF_A_POWER = EXACT / 2;

    private static final int CLASSES = 36 * CLASSES_OF_A_POWER + EXACT;

    private final long[] counts = new long[CLASSES];
    private long total;

    void add(long nanos) {
        counts[Math.min(CLASSES - 1, index(Math.max(0, nanos / 1000)))]++;
        total++;
    }

    void add(Latencies other) {
        for (int i = 0; i < CLASSES; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
    }

    /** How many there are. */
    long total() {
        return total;
    }

    /** The least duration that this part of all does not exceed, in milliseconds; NaN if there is none. */
    double percentile(double part) {
        if (total == 0) {
            return Double.NaN;
        }
        long rank = Math.max(1, (long) Math.ceil(part * total));
        long seen = 0;
        int index = -1;
        while (seen < rank) {
            index++;
            seen += counts[index];
        }
        return micros(index) / 1000.0;
    }

    private static int index(long micros) {
        if (micros < EXACT) {
            return (int) micros;
        }
        int shift = Long.SIZE - Long.numberOfLeadingZeros(micros / EXACT);
        return (int) Math.min(CLASSES, shift * (long) CLASSES_OF_A_POWER + (micros >>> shift));
    }

    /** The least value of a class. */
    private static long micros(int index) {
        if (index < EXACT) {
            return index;
        }
        int shift = index / CLASSES_OF_A_POWER - 1;
        return (long) (index - shift * CLASSES_OF_A_POWER) << shift;
    }
}
