package io.millrace.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A histogram of durations … */
final class DurationsTest {

    @Test
    void isOffByLessThanHalf() {
        for (long nanos = 100_000; nanos < 50_000_000_000L; nanos = nanos * 9 / 8) {
            Durations durations = new Durations();
            durations.add(nanos);
            long shown = durations.quantile(0.5).toNanos();
            assertTrue(shown >= nanos && shown < nanos * 1.5, nanos + " is shown as " + shown);
        }
    }

    @Test
    void tellsSlowOnesFromMost() {
        Durations durations = new Durations();
        for (int i = 0; i < 980; i++) {
            durations.add(1_000_000);
        }
        for (int i = 0; i < 20; i++) {
            durations.add(1_000_000_000);
        }
        assertEquals(1000, durations.count());
        assertTrue(durations.quantile(0.5).toMillis() < 2);
        assertTrue(durations.quantile(0.99).toMillis() >= 1000);
    }

    @Test
    void copesWithTheShortestAndTheLongest() {
        Durations durations = new Durations();
        assertEquals(Duration.ZERO, durations.quantile(0.99));
        durations.add(0);
        assertEquals(Duration.ofNanos(100_000), durations.quantile(0.99));
        durations.add(Long.MAX_VALUE);
        assertTrue(durations.quantile(1).toSeconds() >= 50);
    }
}
