package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.compression.Compression;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import io.millrace.metrics.Metrics;
import io.millrace.settings.Settings;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The handler of metrics … */
class MetricsHandlerTest {

    @Test
    void readsFiguresOfApplicationsOnAWorkerOnlyBehindCompressionToo() {
        Metrics metrics = new Metrics();
        AtomicInteger tasks = new AtomicInteger();
        AtomicInteger readIn = new AtomicInteger(-1);
        new MetricGroup(metrics)
                .number(
                        MetricFamily.gauge("pool_connections", "Connections of a pool"),
                        () -> {
                            readIn.set(tasks.get());
                            return 7;
                        },
                        "name",
                        "shop");
        MemoryStream answer = Asked.get("/metrics")
                .counting(tasks)
                .of(Compression.of(Settings.DEFAULTS).wrap(new MetricsHandler(metrics)));
        assertTrue(answer.body().contains("pool_connections{name=\"shop\"} 7"), answer.body());
        assertEquals(1, readIn.get());
    }
}
