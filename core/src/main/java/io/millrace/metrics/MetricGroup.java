package io.millrace.metrics;

import io.millrace.metrics.Metrics.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Metrics with common labels, which end together: those of a connector, or of an application. Values are read whenever somebody asks,
 * by any thread: their suppliers must return at once, and throw nothing. Thread-safe.
 */
public final class MetricGroup implements AutoCloseable {

    /** Of a counter or gauge. */
    private record Scalar(DoubleSupplier number, boolean isOccasional) implements Source {

        @Override
        public double value() {
            return number.getAsDouble();
        }
    }

    /** Of a histogram. */
    private record Histogram(Supplier<DurationCounts> counts, boolean isOccasional) implements Source {

        @Override
        public double value() {
            return 0;
        }

        @Override
        public DurationCounts durations() {
            return counts.get();
        }
    }

    /** Of a summary. */
    private record Summary(DoubleSupplier number, DoubleSupplier sum) implements Source {

        @Override
        public double value() {
            return sum.getAsDouble();
        }

        @Override
        public double count() {
            return number.getAsDouble();
        }
    }

    /** A group that ends with this one, and has other labels in place of the common ones. */
    public MetricGroup besides(String... labels) {
        MetricGroup other = new MetricGroup(metrics, labels);
        synchronized (this) {
            if (closed) {
                other.close();
            } else {
                parts.add(other);
            }
        }
        return other;
    }

    /** The value of the first common label, such as the name of the application; empty if there is none. */
    public String subject() {
        return common.length == 0 ? "" : common[1];
    }

    private record Entry(MetricFamily family, String labels, Source source) {}

    private final Metrics metrics;
    private final String[] common;

    // guarded by this
    private final List<Entry> entries = new ArrayList<>();
    private final List<MetricGroup> parts = new ArrayList<>();
    private boolean closed;

    /**
     * An empty group.
     *
     * @param metrics to which the group adds its metrics
     * @param common the labels of all of them: names and values by turns
     */
    public MetricGroup(Metrics metrics, String... common) {
        this.metrics = metrics;
        this.common = common.clone();
        var unused = Metrics.labels(common);
    }

    /**
     * Adds a counter or gauge.
     *
     * @param labels those that it has besides the common ones: names and values by turns
     */
    public void number(MetricFamily family, DoubleSupplier value, String... labels) {
        add(family, labels, new Scalar(value, false));
    }

    /** The same for a value that is left out while it is zero, because it mostly is. */
    public void occasional(MetricFamily family, DoubleSupplier value, String... labels) {
        add(family, labels, new Scalar(value, true));
    }

    /** Adds a histogram. */
    public void histogram(MetricFamily family, Supplier<DurationCounts> counts, String... labels) {
        add(family, labels, new Histogram(counts, false));
    }

    /** The same for a histogram that is left out while it is empty. */
    public void occasionalHistogram(MetricFamily family, Supplier<DurationCounts> counts, String... labels) {
        add(family, labels, new Histogram(counts, true));
    }

    /** Adds a summary. */
    public void summary(MetricFamily family, DoubleSupplier number, DoubleSupplier sum, String... labels) {
        add(family, labels, new Summary(number, sum));
    }

    /**
     * Counters that differ in a label whose values are not known before: each is added when it is first counted.
     *
     * @param label the name of that label; its values must not come from clients
     */
    public Counters counters(MetricFamily family, String label) {
        return new Counters(family, label);
    }

    private void add(MetricFamily family, String[] labels, Source source) {
        String[] all = new String[common.length + labels.length];
        System.arraycopy(common, 0, all, 0, common.length);
        System.arraycopy(labels, 0, all, common.length, labels.length);
        Entry entry = new Entry(family, Metrics.labels(all), source);
        synchronized (this) {
            if (closed) {
                return;
            }
            entries.add(entry);
            metrics.add(family, all, source);
        }
    }

    /** Removes the metrics. */
    @Override
    public synchronized void close() {
        closed = true;
        entries.forEach(each -> metrics.remove(each.family, each.labels, each.source));
        entries.clear();
        parts.forEach(MetricGroup::close);
        parts.clear();
    }

    /** See {@link #counters}. Thread-safe. */
    public final class Counters {

        private final MetricFamily family;
        private final String label;
        private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

        private Counters(MetricFamily family, String label) {
            this.family = family;
            this.label = label;
        }

        /** Counts one with this value of the label. */
        public void increment(String value) {
            LongAdder known = counts.get(value);
            (known == null ? counts.computeIfAbsent(value, this::added) : known).increment();
        }

        private LongAdder added(String value) {
            LongAdder count = new LongAdder();
            number(family, count::sum, label, value);
            return count;
        }
    }
}
