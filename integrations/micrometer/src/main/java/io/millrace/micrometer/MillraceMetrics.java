package io.millrace.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.Metrics;
import io.millrace.metrics.Metrics.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Shows the metrics of a server in registries of Micrometer, under their names in Micrometer's form: dots for underscores, without
 * {@code _total} of counters and {@code _seconds} of histograms, so that {@code millrace_requests_total} is {@code millrace.requests}. A
 * registry for Prometheus writes the names that the server itself writes. Needs Micrometer 1.9 or later. Thread-safe.
 *
 * <p>Counters are {@link FunctionCounter}s, gauges {@link Gauge}s, histograms {@link FunctionTimer}s with their number and total time. Meters come and go with connectors and applications, also while the server runs. They read what the server counts anyway,
 * and registries hold it weakly only. What Micrometer measures itself, of the process and its JVM, is left out.
 */
public final class MillraceMetrics implements MeterBinder, AutoCloseable {

    /** How far the buckets of histograms reach: 100 µs and its doublings, up to 52 s. */
    private static final Duration FIRST_BUCKET = Duration.ofNanos(100_000);

    private static final int BUCKETS = 20;
    /** Of three octaves, where the histogram has few buckets. */
    private static final int COARSE_STEP = 3;

    private final Metrics metrics;
    private final Tags common;
    private final boolean withBuckets;

    /** Guarded by this. */
    private final List<Binding> bindings = new ArrayList<>();

    /** The metrics of a server, such as {@code Server.metrics()}. */
    public MillraceMetrics(Metrics metrics) {
        this(metrics, List.of());
    }

    /** The same, with further tags for each meter: to tell the servers of a process apart for example. */
    public MillraceMetrics(Metrics metrics, Iterable<Tag> tags) {
        this(metrics, Tags.of(tags), false);
    }

    private MillraceMetrics(Metrics metrics, Tags common, boolean withBuckets) {
        this.metrics = metrics;
        this.common = common;
        this.withBuckets = withBuckets;
    }

    /**
     * A binder that shows the buckets of histograms as well, for quantiles over many servers: gauges {@code NAME.histogram} with the
     * number of durations up to the tag {@code le}, in seconds, as Micrometer has them for its own timers. Each histogram becomes 21 meters
     * more.
     */
    public MillraceMetrics withBuckets() {
        return new MillraceMetrics(metrics, common, true);
    }

    /** Adds the meters to the registry, and from now on those of each connector and application that starts. Removes those of each that stops. */
    @Override
    public void bindTo(MeterRegistry registry) {
        Binding binding = new Binding(registry);
        synchronized (this) {
            bindings.add(binding);
            metrics.observe(binding);
        }
    }

    /** Removes its meters from all registries. */
    @Override
    public void close() {
        List<Binding> ended;
        synchronized (this) {
            ended = List.copyOf(bindings);
            bindings.clear();
        }
        ended.forEach(Binding::close);
    }

    /** The meters in one registry. */
    private final class Binding implements Metrics.Observer {

        private final MeterRegistry registry;
        /** Guarded by this. */
        private final Map<Series, List<Meter>> meters = new HashMap<>();

        Binding(MeterRegistry registry) {
            this.registry = registry;
        }

        @Override
        public synchronized void added(Series series) {
            String name = series.family().name();
            if (name.startsWith("process_") || name.startsWith("jvm_")) {
                return;
            }
            List<Meter> added = meters.computeIfAbsent(series, none -> new ArrayList<>());
            try {
                add(series, added);
            } catch (RuntimeException
                    | LinkageError refused) { // as that for Prometheus does if a name is in use with other tags
                MicrometerMessages.LOG.refused(name, refused);
            }
        }

        private void add(Series series, List<Meter> added) {
            MetricFamily family = series.family();
            String name = micrometerName(family);
            Tags tags = common;
            for (Map.Entry<String, String> label : series.labels().entrySet()) {
                tags = tags.and(label.getKey(), label.getValue());
            }
            switch (family.type()) {
                case COUNTER ->
                    added.add(FunctionCounter.builder(name, series, Series::value)
                            .description(family.help())
                            .tags(tags)
                            .register(registry));
                case GAUGE ->
                    added.add(Gauge.builder(name, series, Series::value)
                            .description(family.help())
                            .tags(tags)
                            .register(registry));
                case SUMMARY -> {
                    added.add(FunctionCounter.builder(name + ".count", series, Series::count)
                            .description(family.help())
                            .tags(tags)
                            .register(registry));
                    added.add(FunctionCounter.builder(name + ".sum", series, Series::value)
                            .description(family.help())
                            .tags(tags)
                            .register(registry));
                }
                case HISTOGRAM, COARSE_HISTOGRAM -> {
                    added.add(FunctionTimer.builder(
                                    name,
                                    series,
                                    each -> each.durations().count(),
                                    each -> each.durations().nanos(),
                                    TimeUnit.NANOSECONDS)
                            .description(family.help())
                            .tags(tags)
                            .register(registry));
                    if (withBuckets) {
                        addBuckets(series, name, tags, added);
                    }
                }
            }
        }

        private void addBuckets(Series series, String name, Tags tags, List<Meter> added) {
            int step = series.family().type() == MetricFamily.Type.HISTOGRAM ? 1 : COARSE_STEP;
            for (int i = 0; i < BUCKETS; i += step) {
                Duration end = FIRST_BUCKET.multipliedBy(1L << i);
                added.add(Gauge.builder(
                                name + ".histogram",
                                series,
                                each -> each.durations().atMost(end))
                        .tags(tags.and("le", seconds(end)))
                        .register(registry));
            }
            added.add(Gauge.builder(
                            name + ".histogram",
                            series,
                            each -> each.durations().count())
                    .tags(tags.and("le", "+Inf"))
                    .register(registry));
        }

        @Override
        public synchronized void removed(Series series) {
            List<Meter> ended = meters.remove(series);
            if (ended != null) {
                ended.forEach(registry::remove);
            }
        }

        void close() {
            metrics.forget(this);
            synchronized (this) {
                List.copyOf(meters.keySet()).forEach(this::removed);
            }
        }
    }

    /** {@code millrace.requests} of {@code millrace_requests_total}. */
    private static String micrometerName(MetricFamily family) {
        String name = family.name();
        String suffix = switch (family.type()) {
            case COUNTER -> "_total";
            case HISTOGRAM, COARSE_HISTOGRAM -> "_seconds";
            case GAUGE, SUMMARY -> "";
        };
        String base = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
        return base.replace('_', '.');
    }

    private static String seconds(Duration end) {
        return String.valueOf(end.toNanos() / 1e9);
    }
}
