package io.millrace.metrics;

import java.util.regex.Pattern;

/**
 * A metric: its name, what it counts, and how. Its values are told apart by labels.
 *
 * @param name as Prometheus has it: base units, a counter ends with {@code _total}
 * @param help one sentence without a full stop
 */
public record MetricFamily(String name, Type type, String help) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

    /** What the values of a metric mean. */
    public enum Type {
        /** Only grows, until the server is started again. */
        COUNTER,
        /** Goes up and down. */
        GAUGE,
        /** Durations in buckets. Its buckets end at 100 µs and its doublings, up to 52 s. */
        HISTOGRAM,
        /** Durations in a third of these buckets, for what has many labels: they end at 100 µs and eight times that, up to 26 s. */
        COARSE_HISTOGRAM,
        /** A number of things and their sum. */
        SUMMARY;

        /** The word in the text format. */
        String word() {
            return switch (this) {
                case COUNTER -> "counter";
                case GAUGE -> "gauge";
                case HISTOGRAM, COARSE_HISTOGRAM -> "histogram";
                case SUMMARY -> "summary";
            };
        }
    }

    public MetricFamily {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a metric is named " + name + "; expected lower case, digits and underscores");
        }
        if (name.endsWith("_total") != (type == Type.COUNTER)) {
            throw new IllegalArgumentException(name + ": counters, and nothing else, end with _total");
        }
    }

    /** A counter. */
    public static MetricFamily counter(String name, String help) {
        return new MetricFamily(name, Type.COUNTER, help);
    }

    /** A gauge. */
    public static MetricFamily gauge(String name, String help) {
        return new MetricFamily(name, Type.GAUGE, help);
    }

    /** A histogram of durations. */
    public static MetricFamily histogram(String name, String help) {
        return new MetricFamily(name, Type.HISTOGRAM, help);
    }
}
