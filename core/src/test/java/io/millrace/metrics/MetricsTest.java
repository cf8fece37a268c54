package io.millrace.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Metrics … */
final class MetricsTest {

    private static final MetricFamily REQUESTS = MetricFamily.counter("a_total", "Requests");
    private static final MetricFamily UP = MetricFamily.gauge("b_up", "Up");
    private static final MetricFamily TIME = MetricFamily.histogram("c_seconds", "Time");

    private final Metrics metrics = new Metrics();

    private String text() {
        return StandardCharsets.UTF_8.decode(new PrometheusText(metrics).read()).toString();
    }

    @Test
    void addUpWhatHasTheSameLabels() {
        AtomicLong first = new AtomicLong(5);
        AtomicLong second = new AtomicLong(7);
        MetricGroup one = new MetricGroup(metrics, "application", "/shop");
        MetricGroup other = new MetricGroup(metrics, "application", "/shop");
        one.number(REQUESTS, first::get);
        one.number(UP, () -> 1);
        other.number(REQUESTS, second::get);
        other.number(UP, () -> 1);
        assertEquals(OptionalDouble.of(12), metrics.value("a_total", "application", "/shop"));
        one.close();
        second.set(8);
        assertEquals(OptionalDouble.of(13), metrics.value("a_total", "application", "/shop"), "it never goes back");
        assertEquals(OptionalDouble.of(1), metrics.value("b_up", "application", "/shop"));
        other.close();
        assertFalse(text().contains("a_total"), "nothing is left of an application that has gone");
    }

    @Test
    void keepTheDurationsOfAGroupThatHasEnded() {
        Durations before = new Durations();
        Durations after = new Durations();
        MetricGroup one = new MetricGroup(metrics);
        one.histogram(TIME, before::read);
        new MetricGroup(metrics).histogram(TIME, after::read);
        before.add(150_000);
        after.add(3_000_000);
        one.close();
        String text = text();
        assertTrue(text.contains("c_seconds_bucket{le=\"0.0001\"} 0\nc_seconds_bucket{le=\"0.0002\"} 1\n"), text);
        assertTrue(text.contains("c_seconds_bucket{le=\"0.0032\"} 2\n"), text);
        assertTrue(text.contains("c_seconds_bucket{le=\"52.4288\"} 2\nc_seconds_bucket{le=\"+Inf\"} 2\n"), text);
        assertTrue(text.contains("c_seconds_sum 0.00315\nc_seconds_count 2\n"), text);
    }

    @Test
    void areWrittenAsTheFormatDemands() {
        MetricGroup group = new MetricGroup(metrics, "name", "a\"b\\c\nd\u00e9\u4e2d");
        group.number(UP, () -> 0.25, "n", "1");
        group.number(UP, () -> Double.POSITIVE_INFINITY, "n", "2");
        group.number(UP, () -> Double.NaN, "n", "3");
        group.number(UP, () -> -12, "n", "4");
        group.number(UP, () -> 1.5e15, "n", "5");
        String name = "b_up{name=\"a\\\"b\\\\c\\nd\u00e9\u4e2d\",n=";
        String text = text();
        assertTrue(
                text.contains("# HELP b_up Up\n# TYPE b_up gauge\n" + name + "\"1\"} 0.25\n" + name + "\"2\"} +Inf\n"
                        + name + "\"3\"} NaN\n" + name + "\"4\"} -12\n" + name + "\"5\"} 1500000000000000\n"),
                text);
    }

    @Test
    void leaveOutWhatDoesNotOccur() {
        AtomicLong rare = new AtomicLong();
        MetricGroup group = new MetricGroup(metrics);
        group.occasional(REQUESTS, rare::get, "code", "1xx");
        MetricGroup.Counters limits = group.counters(MetricFamily.counter("limits_total", "Limits"), "limit");
        assertFalse(text().contains("a_total"));
        rare.set(1);
        limits.increment("maxHttpHeaderSize");
        limits.increment("maxHttpHeaderSize");
        assertTrue(text().contains("a_total{code=\"1xx\"} 1\n"));
        assertTrue(text().contains("limits_total{limit=\"maxHttpHeaderSize\"} 2\n"));
    }

    @Test
    void haveFewBucketsIfAskedAndNoneWhileThereIsNothing() {
        Durations calls = new Durations();
        MetricFamily coarse = new MetricFamily("d_seconds", MetricFamily.Type.COARSE_HISTOGRAM, "Calls");
        new MetricGroup(metrics).occasionalHistogram(coarse, calls::read, "operation", "read");
        assertFalse(text().contains("d_seconds"));
        calls.add(700_000);
        calls.add(900_000);
        String text = text();
        String bucket = "d_seconds_bucket{operation=\"read\",le=";
        assertTrue(
                text.contains("# TYPE d_seconds histogram\n" + bucket + "\"0.0001\"} 0\n" + bucket + "\"0.0008\"} 1\n"
                        + bucket + "\"0.0064\"} 2\n"),
                text);
        assertTrue(text.contains(bucket + "\"26.2144\"} 2\n" + bucket + "\"+Inf\"} 2\n"), text);
        assertEquals(10, text.lines().filter(line -> line.startsWith("d_")).count(), text);
    }

    @Test
    void haveOneDeclarationForEachName() {
        new MetricGroup(metrics).number(UP, () -> 1);
        assertThrows(
                IllegalArgumentException.class,
                () -> new MetricGroup(metrics).number(MetricFamily.gauge("b_up", "Something else"), () -> 1));
        assertThrows(IllegalArgumentException.class, () -> MetricFamily.gauge("a_total", "A counter's name"));
        assertThrows(IllegalArgumentException.class, () -> new MetricGroup(metrics, "a label without a value"));
    }

    @Test
    void areReadByProgramsWithTheirLabels() {
        AtomicLong requests = new AtomicLong(5);
        MetricGroup group = new MetricGroup(metrics, "application", "/\"shop\"");
        group.number(REQUESTS, requests::get, "code", "2xx");
        List<Metrics.Family> families = metrics.families();
        assertEquals(
                List.of(REQUESTS), families.stream().map(Metrics.Family::of).toList());
        Metrics.Series series = families.get(0).series().get(0);
        assertEquals(REQUESTS, series.family());
        assertEquals("{application=/\"shop\", code=2xx}", series.labels().toString());
        assertEquals(5, series.value());
        requests.set(6);
        assertEquals(6, series.value());
        assertThrows(UnsupportedOperationException.class, () -> series.labels().put("code", "5xx"));
    }

    @Test
    void areToldToObserversAsTheyComeAndGo() {
        List<String> told = new ArrayList<>();
        Metrics.Observer observer = new Metrics.Observer() {
            @Override
            public void added(Metrics.Series series) {
                told.add("+" + series.labels());
            }

            @Override
            public void removed(Metrics.Series series) {
                told.add("-" + series.labels());
            }
        };
        MetricGroup first = new MetricGroup(metrics, "application", "/a");
        first.number(UP, () -> 1);
        metrics.observe(observer);
        MetricGroup second = new MetricGroup(metrics, "application", "/a");
        second.number(UP, () -> 1); // another version: the same value
        MetricGroup other = new MetricGroup(metrics, "application", "/b");
        other.number(UP, () -> 1);
        first.close();
        second.close();
        assertEquals(List.of("+{application=/a}", "+{application=/b}", "-{application=/a}"), told);
        metrics.forget(observer);
        other.close();
        assertEquals(3, told.size());
    }

    @Test
    void tellHowManyDurationsABucketReaches() {
        DurationCounts counts = new DurationCounts();
        counts.add(100_000);
        counts.add(100_001);
        counts.add(199_999);
        counts.add(TimeUnit.MINUTES.toNanos(5));
        assertEquals(1, counts.atMost(Duration.ofNanos(100_000)));
        assertEquals(3, counts.atMost(Duration.ofNanos(200_000)));
        assertEquals(0, counts.atMost(Duration.ZERO));
        assertEquals(3, counts.atMost(Duration.ofDays(1)), "the last bucket has no end");
    }
}
