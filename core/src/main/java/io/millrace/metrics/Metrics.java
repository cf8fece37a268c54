package io.millrace.metrics;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of a server, or of several servers of a process. What is counted is kept by those who count it; here are the names, and
 * from where each value is read. Reading takes no lock, so that it works whatever else hangs. Thread-safe.
 *
 * <p>Values with the same name and labels, as those of two versions of an application, are added up. If the source of a counter ends
 * while another one remains, what it had counted stays in the sum, which therefore never goes back.
 */
public final class Metrics {

    /** Where a value is read. */
    interface Source {

        double value();

        default double count() {
            return 0;
        }

        default @Nullable DurationCounts durations() {
            return null;
        }

        default boolean isOccasional() {
            return false;
        }
    }

    /** Is told of the values of metrics as they come and go, with connectors and applications for example. */
    public interface Observer {

        /**
         * There is a value now.
         *
         * @param series reads it, at any time and by any thread
         */
        void added(Series series);

        /** There is no such value any more. */
        void removed(Series series);
    }

    /** A metric that has values. It stays the same while these come and go. Thread-safe. */
    public static final class Family {

        private final MetricFamily of;
        /** By their labels, as the text format has them. */
        private final Map<String, Series> byLabels = new ConcurrentSkipListMap<>();

        private Family(MetricFamily of) {
            this.of = of;
        }

        /** What it is. */
        public MetricFamily of() {
            return of;
        }

        /** Its values, each with labels of its own: a copy. */
        public List<Series> series() {
            return List.copyOf(byLabels.values());
        }

        Map<String, Series> byLabels() {
            return byLabels;
        }
    }

    /** A value of a metric: that with certain labels. It reads what is counted now. Thread-safe; reading takes no lock. */
    public static final class Series {

        /** An immutable state: the sources, and what those have counted that have ended. */
        private record State(
                List<Source> sources,
                double past,
                double pastCount,
                @Nullable DurationCounts pastDurations) {}

        private final MetricFamily family;
        private final Map<String, String> labels;
        private final boolean accumulates;
        private final boolean isHistogram;
        private volatile State state = new State(List.of(), 0, 0, null);

        private Series(MetricFamily family, String[] labels) {
            this.family = family;
            Map<String, String> values = new LinkedHashMap<>();
            for (int i = 0; i < labels.length; i += 2) {
                values.put(labels[i], labels[i + 1]);
            }
            this.labels = Collections.unmodifiableMap(values);
            accumulates = family.type() != MetricFamily.Type.GAUGE;
            isHistogram =
                    family.type() == MetricFamily.Type.HISTOGRAM || family.type() == MetricFamily.Type.COARSE_HISTOGRAM;
        }

        private void add(Source source) {
            State now = state;
            List<Source> more = new ArrayList<>(now.sources);
            more.add(source);
            state = new State(List.copyOf(more), now.past, now.pastCount, now.pastDurations);
        }

        /** Returns whether none is left. */
        private boolean remove(Source source) {
            State now = state;
            List<Source> left = new ArrayList<>(now.sources);
            if (!left.remove(source)) {
                return left.isEmpty();
            }
            if (!accumulates || left.isEmpty()) {
                state = new State(List.copyOf(left), now.past, now.pastCount, now.pastDurations);
            } else {
                DurationCounts durations = source.durations();
                if (durations != null && now.pastDurations != null) {
                    durations.add(now.pastDurations);
                }
                state = new State(
                        List.copyOf(left), now.past + source.value(), now.pastCount + source.count(), durations);
            }
            return left.isEmpty();
        }

        /** The metric whose value it is. */
        public MetricFamily family() {
            return family;
        }

        /** The labels that tell it from other values of the metric: their values by their names, in the order of the text format. */
        public Map<String, String> labels() {
            return labels;
        }

        /** The value of a counter or gauge, or the sum of a summary; of a histogram, see {@link #durations}. */
        public double value() {
            State now = state;
            double sum = now.past;
            for (int i = 0; i < now.sources.size(); i++) {
                sum += now.sources.get(i).value();
            }
            return sum;
        }

        /** How many things a summary sums up. */
        public double count() {
            State now = state;
            double sum = now.pastCount;
            for (int i = 0; i < now.sources.size(); i++) {
                sum += now.sources.get(i).count();
            }
            return sum;
        }

        /** What a histogram has counted: a copy, which is empty for other metrics. */
        public DurationCounts durations() {
            State now = state;
            DurationCounts sum = new DurationCounts();
            if (now.pastDurations != null) {
                sum.add(now.pastDurations);
            }
            for (Source each : now.sources) {
                DurationCounts durations = each.durations();
                if (durations != null) {
                    sum.add(durations);
                }
            }
            return sum;
        }

        /** Whether nothing was counted. */
        boolean isZero() {
            return accumulates && (isHistogram ? durations().count() == 0 : value() == 0);
        }

        /** Whether it is left out while it is zero. */
        boolean isOccasional() {
            List<Source> sources = state.sources;
            for (int i = 0; i < sources.size(); i++) {
                if (!sources.get(i).isOccasional()) {
                    return false;
                }
            }
            return true;
        }
    }

    private final Map<String, Family> families = new ConcurrentSkipListMap<>();

    /** Guarded by this. */
    private final List<Observer> observers = new ArrayList<>();

    private final AtomicBoolean wasRead = new AtomicBoolean();

    /** No metrics. */
    public Metrics() {}

    /** The value of a counter or gauge with exactly these labels in this order, names and values by turns; empty if there is none. */
    public OptionalDouble value(String name, String... labels) {
        Family family = families.get(name);
        Series series = family == null ? null : family.byLabels().get(labels(labels));
        return series == null ? OptionalDouble.empty() : OptionalDouble.of(series.value());
    }

    /**
     * The metrics that have values now, sorted by name: a copy. Those of the process and its JVM ({@code process_…}, {@code jvm_…}) are
     * among them as soon as somebody has read {@link PrometheusText}.
     */
    public List<Family> families() {
        return List.copyOf(families.values());
    }

    /**
     * Tells an observer of all values that there are, and from now on of each that is added or removed, until it is {@linkplain #forget
     * forgotten}. The calls come one at a time, from the threads that start and stop connectors and applications, which wait for them: an
     * observer must return at once, throw nothing, and neither add nor remove metrics.
     */
    public synchronized void observe(Observer observer) {
        observers.add(observer);
        families.values().forEach(family -> family.byLabels().values().forEach(observer::added));
    }

    /** Tells the observer nothing from now on. Does nothing if it is none. */
    public synchronized void forget(Observer observer) {
        observers.remove(observer);
    }

    Iterable<Family> current() {
        return families.values();
    }

    /** True the first time. */
    boolean isReadFirst() {
        return !wasRead.get() && wasRead.compareAndSet(false, true);
    }

    synchronized void add(MetricFamily family, String[] labels, Source source) {
        Family known = families.get(family.name());
        if (known == null) {
            known = new Family(family);
        } else if (!known.of().equals(family)) {
            throw new IllegalArgumentException(family + " was declared as " + known.of());
        }
        String text = labels(labels);
        Series series = known.byLabels().get(text);
        if (series == null) {
            Series added = new Series(family, labels);
            added.add(source);
            known.byLabels().put(text, added);
            families.put(family.name(), known); // last: a metric has a value as soon as it is seen
            observers.forEach(each -> each.added(added));
        } else {
            series.add(source);
        }
    }

    synchronized void remove(MetricFamily family, String labels, Source source) {
        Family known = families.get(family.name());
        Series series = known == null ? null : known.byLabels().get(labels);
        if (known != null && series != null && series.remove(source)) {
            known.byLabels().remove(labels);
            if (known.byLabels().isEmpty()) {
                families.remove(family.name());
            }
            observers.forEach(each -> each.removed(series));
        }
    }

    /** The labels as in the text format, without braces. Every character is one byte of UTF-8, so that it is written as it is. */
    static String labels(String[] labels) {
        if (labels.length % 2 != 0) {
            throw new IllegalArgumentException("a label without a value: " + List.of(labels));
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < labels.length; i += 2) {
            String value =
                    labels[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            text.append(i == 0 ? "" : ",")
                    .append(labels[i])
                    .append("=\"")
                    .append(value)
                    .append('"');
        }
        return new String(text.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
