package io.millrace.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.metrics.Durations;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.metrics.Metrics;
import io.millrace.metrics.PrometheusText;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The binder for Micrometer … */
final class MillraceMetricsTest {

    private static final MetricFamily REQUESTS = MetricFamily.counter("millrace_requests_total", "Requests");
    private static final MetricFamily ACTIVE = MetricFamily.gauge("millrace_requests_active", "Active ones");
    private static final MetricFamily TIME =
            MetricFamily.histogram("millrace_request_duration_seconds", "Their durations");
    private static final MetricFamily STORE = new MetricFamily(
            "millrace_session_store_seconds", MetricFamily.Type.COARSE_HISTOGRAM, "Calls of the store");

    private final Metrics metrics = new Metrics();
    private final MetricGroup group = new MetricGroup(metrics, "connector", "http-nio-8080");
    private final MeterRegistry registry = new SimpleMeterRegistry();

    private Set<String> names() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toSet());
    }

    @Test
    void runsWithTheVersionThatIsTested() {
        String jar = MeterRegistry.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        String version = System.getProperty("millrace.micrometer", "");
        assertTrue(jar.endsWith("micrometer-core-" + version + ".jar"), jar);
    }

    @Test
    void readsWhatTheServerCounts() {
        AtomicLong requests = new AtomicLong(7);
        Durations durations = new Durations();
        group.number(REQUESTS, requests::get, "code", "2xx");
        group.number(ACTIVE, () -> 3);
        group.histogram(TIME, durations::read);
        durations.add(TimeUnit.MILLISECONDS.toNanos(2));
        durations.add(TimeUnit.MILLISECONDS.toNanos(4));
        new MillraceMetrics(metrics, Tags.of("server", "a")).bindTo(registry);

        Tags tags = Tags.of("connector", "http-nio-8080", "server", "a");
        assertEquals(
                7,
                registry.get("millrace.requests")
                        .tags(tags.and("code", "2xx"))
                        .functionCounter()
                        .count());
        requests.set(8);
        assertEquals(8, registry.get("millrace.requests").functionCounter().count());
        assertEquals(
                3, registry.get("millrace.requests.active").tags(tags).gauge().value());
        FunctionTimer timer =
                registry.get("millrace.request.duration").tags(tags).functionTimer();
        assertEquals(2, timer.count());
        assertEquals(6, timer.totalTime(TimeUnit.MILLISECONDS), 1e-9);
        assertEquals(
                "Requests", registry.get("millrace.requests").meter().getId().getDescription());
        assertEquals(3, registry.getMeters().size(), "no buckets unless wanted");
    }

    @Test
    void showsBucketsIfTheyAreWanted() {
        Durations durations = new Durations();
        group.histogram(TIME, durations::read);
        group.histogram(STORE, durations::read);
        durations.add(100_000);
        durations.add(TimeUnit.MILLISECONDS.toNanos(2));
        durations.add(TimeUnit.MINUTES.toNanos(3));
        new MillraceMetrics(metrics).withBuckets().bindTo(registry);

        String name = "millrace.request.duration.histogram";
        assertEquals(1, registry.get(name).tag("le", "1.0E-4").gauge().value());
        assertEquals(1, registry.get(name).tag("le", "0.0016").gauge().value());
        assertEquals(2, registry.get(name).tag("le", "0.0032").gauge().value());
        assertEquals(2, registry.get(name).tag("le", "52.4288").gauge().value());
        assertEquals(3, registry.get(name).tag("le", "+Inf").gauge().value());
        assertEquals(21, registry.find(name).gauges().size());
        assertEquals(
                8, registry.find("millrace.session.store.histogram").gauges().size());
    }

    @Test
    void followsConnectorsAndApplicationsThatComeAndGo() {
        MillraceMetrics binder = new MillraceMetrics(metrics);
        binder.bindTo(registry);
        assertEquals(Set.of(), names());
        group.number(ACTIVE, () -> 3);
        MetricGroup later = new MetricGroup(metrics, "application", "/shop");
        later.number(REQUESTS, () -> 1);
        later.histogram(TIME, () -> new Durations().read());
        assertEquals(Set.of("millrace.requests", "millrace.requests.active", "millrace.request.duration"), names());
        later.close();
        assertEquals(Set.of("millrace.requests.active"), names());
        binder.close();
        assertEquals(Set.of(), names());
        new MetricGroup(metrics, "application", "/later").number(REQUESTS, () -> 1);
        assertEquals(Set.of(), names());
    }

    @Test
    void leavesOutWhatMicrometerMeasuresItself() {
        var unused = new PrometheusText(metrics).read(); // which adds them
        assertFalse(metrics.families().isEmpty());
        new MillraceMetrics(metrics).bindTo(registry);
        assertEquals(Set.of(), names());
    }

    @Test
    void leavesAServerThatIsForgottenToTheGarbageCollector() {
        WeakReference<Metrics> forgotten = new WeakReference<>(bound());
        assertEquals(Set.of("millrace.requests", "millrace.requests.active"), names());
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (forgotten.get() != null) {
            assertTrue(System.nanoTime() < deadline, "the registry holds the server");
            System.gc();
            Thread.onSpinWait();
        }
    }

    private Metrics bound() {
        Metrics server = new Metrics();
        MetricGroup servers = new MetricGroup(server);
        servers.number(ACTIVE, () -> server.families().size());
        servers.number(REQUESTS, () -> server.families().size());
        new MillraceMetrics(server).bindTo(registry);
        return server;
    }

    @Test
    void hasTheServersNamesInPrometheus() throws Exception {
        group.number(REQUESTS, () -> 7, "code", "2xx");
        group.number(ACTIVE, () -> 3);
        Durations durations = new Durations();
        group.histogram(TIME, durations::read);
        durations.add(TimeUnit.MILLISECONDS.toNanos(2));
        MeterRegistry prometheus = prometheus();
        new MillraceMetrics(metrics).bindTo(prometheus);
        String scraped =
                String.valueOf(prometheus.getClass().getMethod("scrape").invoke(prometheus));
        String ours = StandardCharsets.UTF_8
                .decode(new PrometheusText(metrics).read())
                .toString();
        for (String line : List.of(
                "millrace_requests_total{connector=\"http-nio-8080\",code=\"2xx\"} 7",
                "millrace_requests_active{connector=\"http-nio-8080\"} 3",
                "millrace_request_duration_seconds_count{connector=\"http-nio-8080\"} 1",
                "millrace_request_duration_seconds_sum{connector=\"http-nio-8080\"} 0.002")) {
            assertTrue(ours.contains(line + "\n"), ours);
            String name = line.substring(0, line.indexOf('{'));
            assertTrue(scraped.lines().anyMatch(each -> each.startsWith(name + "{")), name + " in " + scraped);
        }
    }

    @Test
    void leavesOutWhatARegistryDoesNotTake() throws Exception {
        MeterRegistry prometheus = prometheus();
        prometheus.counter("millrace.requests", "other", "tags");
        group.number(REQUESTS, () -> 7, "code", "2xx");
        group.number(ACTIVE, () -> 3);
        new MillraceMetrics(metrics).bindTo(prometheus);
        List<Meter> gauges =
                List.copyOf(prometheus.find("millrace.requests.active").meters());
        assertEquals(1, gauges.size());
    }

    /** Of the package that this version of Micrometer has. */
    private static MeterRegistry prometheus() throws Exception {
        String where = "io.micrometer.prometheusmetrics.";
        try {
            Class.forName(where + "PrometheusConfig");
        } catch (ClassNotFoundException older) {
            where = "io.micrometer.prometheus.";
        }
        Class<?> config = Class.forName(where + "PrometheusConfig");
        return Class.forName(where + "PrometheusMeterRegistry")
                .asSubclass(MeterRegistry.class)
                .getConstructor(config)
                .newInstance(config.getField("DEFAULT").get(null));
    }
}
