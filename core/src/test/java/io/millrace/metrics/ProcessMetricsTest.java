package io.millrace.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The metrics of the process … */
final class ProcessMetricsTest {

    @Test
    void areThereOnceHoweverOftenTheyAreRead() {
        Metrics metrics = new Metrics();
        PrometheusText text = new PrometheusText(metrics);
        text.read();
        new PrometheusText(metrics).read();
        String read = StandardCharsets.UTF_8.decode(text.read()).toString();
        assertTrue(read.contains("\njvm_memory_used_bytes{area=\"heap\"} "), read);
        assertTrue(read.contains("\njvm_gc_collection_seconds_count{gc=\""), read);
        assertTrue(read.contains("\nprocess_cpu_seconds_total "), read);
        double began = metrics.value("process_start_time_seconds").orElseThrow();
        assertEquals(System.currentTimeMillis() / 1e3, began, 86_400, "not the sum of two");
    }
}
