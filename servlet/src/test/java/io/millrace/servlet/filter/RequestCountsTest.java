package io.millrace.servlet.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Counting requests … */
final class RequestCountsTest {

    private final AtomicLong clock = new AtomicLong(1000);
    private final RequestCounts counts = new RequestCounts(100, clock::get);

    @Test
    void beginsAnewInEachWindowAndForEachClient() {
        assertEquals(1, counts.increment("a"));
        clock.set(1099);
        assertEquals(2, counts.increment("a"));
        assertEquals(1, counts.increment("b"));
        clock.set(1100);
        assertEquals(1, counts.increment("a"));
        clock.set(2000);
        assertEquals(1, counts.increment("a"));
    }

    /** Whose requests count together then. */
    @Test
    void takesBoundedMemoryHoweverManyClientsThereAre() {
        for (int i = 0; i < RequestCounts.MAX_CLIENTS; i++) {
            assertEquals(1, counts.increment("known" + i));
        }
        int most = 0;
        for (int i = 0; i < 10_000; i++) {
            most = Math.max(most, counts.increment("more" + i));
        }
        assertTrue(most > 1);
        assertEquals(2, counts.increment("known0"));
    }
}
