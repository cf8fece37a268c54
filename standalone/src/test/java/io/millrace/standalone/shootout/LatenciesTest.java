package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The percentiles of latencies … */
final class LatenciesTest {

    @Test
    void areAtMostThreePercentTooLow() {
        for (long nanos = 1; nanos < 1L << 55; nanos = nanos * 5 / 4 + 1) {
            Latencies one = new Latencies();
            one.add(nanos);
            double exact = Math.floor(nanos / 1000.0) / 1000;
            double found = one.percentile(0.99);
            boolean isLong = nanos / 1000 >= 1L << 40;
            assertTrue(isLong || found <= exact && found >= exact * 0.968, nanos + " ns: " + found + " ms");
        }
    }

    @Test
    void countAllOfSeveralThreads() {
        Latencies all = new Latencies();
        Latencies fast = new Latencies();
        Latencies slow = new Latencies();
        for (int i = 0; i < 98; i++) {
            fast.add(10_000);
        }
        slow.add(50_000);
        slow.add(60_000);
        all.add(fast);
        all.add(slow);
        assertEquals(100, all.total());
        assertEquals(0.01, all.percentile(0.5));
        assertEquals(0.01, all.percentile(0.98));
        assertEquals(0.05, all.percentile(0.99));
        assertEquals(0.06, all.percentile(1));
    }

    @Test
    void areUnknownWhereThereAreNone() {
        assertEquals(Double.NaN, new Latencies().percentile(0.5));
    }
}
